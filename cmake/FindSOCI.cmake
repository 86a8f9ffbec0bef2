# SOCI's Debian package has no CMake configuration. Gives SOCI::core and SOCI::sqlite3, and finds the parts for the
# servers, which are loaded when they are needed.
# Installed beside Wavewright's configuration, which needs it, too.
find_path(SOCI_INCLUDE_DIR soci/soci.h)
set(soci_required SOCI_INCLUDE_DIR)
foreach(part IN ITEMS core sqlite3 mysql postgresql)
  find_library(SOCI_${part}_LIBRARY soci_${part})
  list(APPEND soci_required SOCI_${part}_LIBRARY)
endforeach()
mark_as_advanced(${soci_required})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SOCI REQUIRED_VARS ${soci_required})

if(SOCI_FOUND AND NOT TARGET SOCI::core)
  foreach(part IN ITEMS core sqlite3)
    add_library(SOCI::${part} UNKNOWN IMPORTED)
    set_target_properties(SOCI::${part} PROPERTIES
      IMPORTED_LOCATION ${SOCI_${part}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SOCI_INCLUDE_DIR})
    if(NOT part STREQUAL "core")
      set_target_properties(SOCI::${part} PROPERTIES INTERFACE_LINK_LIBRARIES SOCI::core)
    endif()
  endforeach()
endif()
