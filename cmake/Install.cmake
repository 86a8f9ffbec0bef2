# The installed tree. Two components: the command, and what a program or a policy of one's own is built from.
include(CMakePackageConfigHelpers)

# Data files, found from the place of the command (apps/data_folder.cpp); in the build folder a link to the sources.
file(RELATIVE_PATH installed_data ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/wavewright)
set_source_files_properties(apps/data_folder.cpp PROPERTIES COMPILE_DEFINITIONS
  WAVEWRIGHT_INSTALLED_DATA="${installed_data}")
file(RELATIVE_PATH installed_modules ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/wavewright)
set_source_files_properties(apps/serve/load_http_server.cpp PROPERTIES COMPILE_DEFINITIONS
  "WAVEWRIGHT_INSTALLED_MODULES=\"${installed_modules}\";WAVEWRIGHT_HTTP_SERVER=\"wavewright-http-server.so\"")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/wavewright)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/reproduce ${CMAKE_BINARY_DIR}/share/wavewright/reproduce SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/data/instances ${CMAKE_BINARY_DIR}/share/wavewright/instances SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/apps/serve/openapi.json ${CMAKE_BINARY_DIR}/share/wavewright/openapi.json
  SYMBOLIC)

# Manual pages and completion, written by the command from the definitions that --help shows.
set(pages ${CMAKE_BINARY_DIR}/share/man)
set(completions ${CMAKE_BINARY_DIR}/share/completions)
add_custom_command(OUTPUT ${pages}/written DEPENDS wavewright VERBATIM
  COMMENT "Writing manual pages and completion scripts"
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages} ${completions}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
  COMMAND wavewright man ${pages}
  COMMAND gzip -9n -r ${pages}
  COMMAND wavewright completion bash > ${completions}/wavewright
  COMMAND wavewright completion zsh > ${completions}/_wavewright
  COMMAND wavewright completion fish > ${completions}/wavewright.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${pages}/written)
add_custom_target(wavewright_pages ALL DEPENDS ${pages}/written)
install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command
  FILES_MATCHING PATTERN *.1.gz)
install(FILES ${completions}/wavewright DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT command)
install(FILES ${completions}/_wavewright DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT command)
install(FILES ${completions}/wavewright.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT command)

install(TARGETS wavewright EXPORT WavewrightTargets COMPONENT command)
install(TARGETS wavewright_http_server LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/wavewright COMPONENT command)
install(DIRECTORY reproduce examples DESTINATION ${CMAKE_INSTALL_DATADIR}/wavewright COMPONENT command
  REGEX "/(demo|build)$" EXCLUDE)
install(DIRECTORY data/instances DESTINATION ${CMAKE_INSTALL_DATADIR}/wavewright COMPONENT command)
install(FILES apps/serve/openapi.json DESTINATION ${CMAKE_INSTALL_DATADIR}/wavewright COMPONENT command)
# systemd reads only this folder of a package, whatever the prefix.
install(FILES apps/serve/wavewright.service RENAME wavewright@.service DESTINATION lib/systemd/system
  COMPONENT command)
install(PROGRAMS examples/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/wavewright/examples COMPONENT command)
install(FILES README.md CHANGELOG.md CITATION.cff cmake/copyright TYPE DOC COMPONENT command)
install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/wavewright-dev COMPONENT development)
install(DIRECTORY docs TYPE DOC COMPONENT command FILES_MATCHING PATTERN *.md)

install(TARGETS wavewright_lib wavewright_headers wavewright_dependencies EXPORT WavewrightTargets
  COMPONENT development)
install(CODE "
  set(wavewright_source \"${CMAKE_SOURCE_DIR}\")
  set(wavewright_include \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT development)
install(SCRIPT cmake/PublicHeaders.cmake COMPONENT development)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Wavewright)
list(TRANSFORM wavewright_packages REPLACE "(.+)" "find_dependency(\\1)" OUTPUT_VARIABLE find_dependencies)
list(JOIN find_dependencies "\n" find_dependencies)
configure_package_config_file(cmake/WavewrightConfig.cmake.in WavewrightConfig.cmake
  INSTALL_DESTINATION ${config_folder})
# Before 1.0 an interface may change with each second number.
write_basic_package_version_file(WavewrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FindSOCI.cmake ${CMAKE_BINARY_DIR}/WavewrightConfig.cmake
  ${CMAKE_BINARY_DIR}/WavewrightConfigVersion.cmake DESTINATION ${config_folder} COMPONENT development)
set_target_properties(wavewright_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(wavewright_dependencies PROPERTIES EXPORT_NAME dependencies)
install(EXPORT WavewrightTargets NAMESPACE Wavewright:: DESTINATION ${config_folder} COMPONENT development)
