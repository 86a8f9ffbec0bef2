# Writes `header` with the commit of the sources, and true where they differ from it; "unknown" where they lie in
# no git repository of their own, as those of an unpacked archive do.
cmake_policy(VERSION 3.25)
set(commit unknown)
set(changed false)
find_program(GIT git)

function(git result)
  execute_process(COMMAND ${GIT} --no-optional-locks -C ${source} ${ARGN}
    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(text)
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(GIT)
  git(top rev-parse --show-toplevel)
  file(REAL_PATH ${source} here)
  if(top STREQUAL here)
    git(head rev-parse --verify HEAD)
    if(head)
      set(commit ${head})
    endif()
    git(edited status --porcelain --untracked-files=no)
    git(added ls-files --others --exclude-standard -- apps cmake wavewright)
    if(edited OR added)
      set(changed true)
    endif()
  endif()
endif()

file(CONFIGURE OUTPUT ${header} @ONLY CONTENT [[
#pragma once
#define WAVEWRIGHT_COMMIT "@commit@"
#define WAVEWRIGHT_COMMIT_CHANGED @changed@
]])
