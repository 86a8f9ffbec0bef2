# Everything comes from the distribution's packages; `./bootstrap` installs them.
# The library's, which a user of the installed library needs as well (cmake/WavewrightConfig.cmake.in):
set(wavewright_packages Threads ZLIB TBB fmt simdjson nlohmann_json SQLite3 "Boost 1.81" SOCI pugixml)
foreach(package IN LISTS wavewright_packages)
  separate_arguments(words UNIX_COMMAND "${package}")
  find_package(${words} REQUIRED)
endforeach()
# What it compiles with, but is not linked with (SystemLibraries.cmake):
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
# The command's, and its HTTP server's:
find_package(CLI11 REQUIRED)
find_library(CPP_HTTPLIB_LIBRARY cpp-httplib REQUIRED)
find_path(CPP_HTTPLIB_INCLUDE_DIR httplib.h REQUIRED)
add_library(cpp-httplib UNKNOWN IMPORTED)
set_target_properties(cpp-httplib PROPERTIES
  IMPORTED_LOCATION ${CPP_HTTPLIB_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CPP_HTTPLIB_INCLUDE_DIR}
  INTERFACE_LINK_LIBRARIES OpenSSL::SSL)

add_library(wavewright_dependencies INTERFACE)
target_link_libraries(wavewright_dependencies INTERFACE
  Threads::Threads ZLIB::ZLIB TBB::tbb fmt::fmt simdjson::simdjson nlohmann_json::nlohmann_json
  SQLite::SQLite3 Boost::headers pugixml::pugixml SOCI::sqlite3 SOCI::core)
include(SystemLibraries)
