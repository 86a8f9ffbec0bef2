# Debian packages, by `make package`: wavewright (the command) and wavewright-dev (library, headers, CMake files).
# What they depend on is found out: by dpkg-shlibdeps from the command's shared libraries, for those that it
# loads later from their files (SystemLibraries.cmake), and for wavewright-dev
# from the packages that the files found by cmake/Dependencies.cmake belong to.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wavewright)
set(CPACK_PACKAGE_VENDOR "The Wavewright authors")
set(CPACK_PACKAGE_CONTACT ${CPACK_PACKAGE_VENDOR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME wavewright)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "Hadoop job histories in; predictions, plans and proofs out
Profiles of jobs from their histories, how long a job takes and how many slots
a deadline needs, orders and pools for a batch with a proof of how good they
are, and a simulator of slots, nodes and containers.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME wavewright-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Wavewright as a C++ library
Headers, a static library and CMake files (find_package(Wavewright)), for
programs that plan and simulate, and for policies of one's own.")

# The packages that files or folders belong to; nothing where there is no dpkg.
function(packages_of files result)
  execute_process(COMMAND dpkg-query --search ${files} OUTPUT_VARIABLE lines ERROR_QUIET RESULT_VARIABLE ignored)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  list(TRANSFORM lines REPLACE "^([a-z0-9.+-]+)(:[a-z0-9]+)?: .*" "\\1")
  list(SORT lines)
  list(REMOVE_DUPLICATES lines)
  set(${result} ${lines} PARENT_SCOPE)
endfunction()

# dpkg-shlibdeps sees only what the command is linked with.
packages_of("${system_library_files}" loaded_packages)
list(JOIN loaded_packages ", " CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS)

packages_of("${ZLIB_LIBRARY_RELEASE};${TBB_DIR};${fmt_DIR};${simdjson_DIR};${nlohmann_json_DIR};${SQLite3_LIBRARY};${Boost_INCLUDE_DIRS}/boost/math;${pugixml_DIR};${SOCI_core_LIBRARY}"
  development_packages)
list(PREPEND development_packages "wavewright (= ${PROJECT_VERSION})")
list(JOIN development_packages ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
include(CPack)
