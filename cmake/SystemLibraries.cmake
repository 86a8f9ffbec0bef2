# Shared libraries that the program loads when something first needs them (wavewright/core/system_library.h), and is
# not linked with. They are named as a linker would have named them; Debian packages depend on theirs (Package.cmake).
set(system_libraries CRYPTO CURL SOCI_MYSQL SOCI_POSTGRESQL)
set(system_library_CRYPTO ${OPENSSL_CRYPTO_LIBRARY})
set(system_library_CURL ${CURL_LIBRARY_RELEASE})
set(system_library_SOCI_MYSQL ${SOCI_mysql_LIBRARY})
set(system_library_SOCI_POSTGRESQL ${SOCI_postgresql_LIBRARY})

foreach(name IN LISTS system_libraries)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${system_library_${name}} OUTPUT_VARIABLE told COMMAND_ERROR_IS_FATAL ANY)
  if(NOT told MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "${system_library_${name}} has no name to load it by: it is no shared library")
  endif()
  set(soname ${CMAKE_MATCH_1})
  list(APPEND system_library_names WAVEWRIGHT_${name}="${soname}")
  # The file of that name belongs to the package that a user needs, the one found to that of developers.
  get_filename_component(folder ${system_library_${name}} DIRECTORY)
  list(APPEND system_library_files ${folder}/${soname})
endforeach()
set_source_files_properties(${CMAKE_SOURCE_DIR}/wavewright/core/system_library.cpp PROPERTIES
  COMPILE_DEFINITIONS "${system_library_names}")
