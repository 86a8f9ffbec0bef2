# Compiler cache, fast linker, warnings, sanitizers.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A crash of the compiler itself is tried again, once.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/compile_again)
  find_program(CCACHE ccache)
  if(CCACHE)
    # Precompiled headers need this much tolerance, or every hit becomes a miss; paths relative to the base
    # make one clone's objects good for another.
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
    add_compile_options(-fpch-preprocess)
  endif()
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(wavewright_warnings INTERFACE)
target_compile_options(wavewright_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  # GCC 12 sees overflows in inlined std::string concatenation that are not there (PR 105329, PR 105651). Which of
  # these three warnings it gives depends on what else it inlines.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>)

if(WAVEWRIGHT_SANITIZE)
  # The sanitizers' instrumentation makes GCC see uninitialised members of std::function that are not.
  target_compile_options(wavewright_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(WAVEWRIGHT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
