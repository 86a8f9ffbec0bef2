# What `wavewright --version` says. The commit stands in a header that only apps/version.cpp includes and that is
# written anew where it changed, so that a commit compiles that file and no other.
set(commit_header ${CMAKE_BINARY_DIR}/generated/commit.h)
set(write_commit ${CMAKE_COMMAND} -D source=${CMAKE_SOURCE_DIR} -D header=${commit_header}
  -P ${CMAKE_SOURCE_DIR}/cmake/Commit.cmake)
execute_process(COMMAND ${write_commit} COMMAND_ERROR_IS_FATAL ANY)  # so that linters find it before a build
add_custom_target(wavewright_commit COMMAND ${write_commit} BYPRODUCTS ${commit_header} COMMENT "" VERBATIM)
add_dependencies(wavewright wavewright_commit)

set_source_files_properties(apps/version.cpp PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON
  INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/generated
  OBJECT_DEPENDS ${commit_header}
  COMPILE_DEFINITIONS "WAVEWRIGHT_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")
