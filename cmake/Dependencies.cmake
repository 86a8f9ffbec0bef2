# Everything comes from the distribution's packages; `./bootstrap` installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CURL REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Boost 1.81 REQUIRED)
pkg_check_modules(AVRO REQUIRED IMPORTED_TARGET avro-c)

# SOCI's Debian package has no CMake configuration.
find_library(SOCI_CORE soci_core REQUIRED)
find_library(SOCI_SQLITE3 soci_sqlite3 REQUIRED)
find_library(SOCI_MYSQL soci_mysql REQUIRED)
find_library(SOCI_POSTGRESQL soci_postgresql REQUIRED)
find_path(SOCI_INCLUDE soci/soci.h REQUIRED)

add_library(wavewright_dependencies INTERFACE)
target_include_directories(wavewright_dependencies SYSTEM INTERFACE ${SOCI_INCLUDE})
target_link_libraries(wavewright_dependencies INTERFACE
  Threads::Threads ZLIB::ZLIB TBB::tbb fmt::fmt simdjson::simdjson nlohmann_json::nlohmann_json
  CLI11::CLI11 SQLite::SQLite3 Boost::headers PkgConfig::AVRO CURL::libcurl
  ${SOCI_SQLITE3} ${SOCI_MYSQL} ${SOCI_POSTGRESQL} ${SOCI_CORE})
