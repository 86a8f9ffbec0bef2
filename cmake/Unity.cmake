# Small folders are compiled as one file each: most of a file's time goes to headers and to templates that its
# neighbours instantiate, too. -DWAVEWRIGHT_UNITY=OFF compiles each file for itself, as clang-tidy wants them.
option(WAVEWRIGHT_UNITY "Compile small folders as one file each" ON)

# Files that have names of their own in common with a neighbour.
set(unity_apart
  wavewright/job/generators_hp.cpp wavewright/job/swf_write.cpp wavewright/job/swim.cpp
  wavewright/report/evaluation_chart.cpp wavewright/report/fit_figures.cpp wavewright/report/line_chart.cpp
  wavewright/report/profiles_section.cpp wavewright/report/risk_section.cpp wavewright/report/slots_section.cpp
  wavewright/report/simulation/jobs.cpp wavewright/report/simulation/marks.cpp
  wavewright/store/maintain_copy.cpp wavewright/store/maintain_vacuum.cpp wavewright/store/task_codec.cpp)

# The sources of `target` that match a glob become groups of at most `most` files.
function(unity_group target most)
  if(NOT WAVEWRIGHT_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(pattern IN LISTS ARGN)
    file(GLOB sources RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${pattern})
    list(REMOVE_ITEM sources ${unity_apart})
    string(MAKE_C_IDENTIFIER "${pattern}" name)
    set(count 0)
    foreach(source IN LISTS sources)
      math(EXPR part "${count} / ${most}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}${part})
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
endfunction()

set(folders cluster dispatch history history/hadoop1 history/jhist history/rumen history/sls history/source job
  plan plan/analysis plan/bounds plan/bounds/time_window plan/methods plan/robust plan/schedule plan/users predict profile report
  report/documents report/simulation sched sched/ledger sim/calibration sim/containers sim/experiment sim/kernel
  sim/metrics sim/model sim/nodes sim/output sim/pool sim/reference store)
list(TRANSFORM folders PREPEND wavewright/)
list(TRANSFORM folders APPEND /*.cpp)
unity_group(wavewright_lib 24 ${folders})
unity_group(wavewright 16 apps/*.cpp apps/completion/*.cpp apps/reproduce/*.cpp
  apps/commands/plan*.cpp apps/commands/simulate*.cpp apps/commands/workload*.cpp apps/commands/profile*.cpp
  apps/commands/report*.cpp apps/commands/predict*.cpp apps/commands/queue*.cpp
  apps/commands/job*.cpp apps/commands/sl*.cpp apps/commands/st*.cpp apps/commands/sweep*.cpp apps/commands/i*.cpp apps/commands/c*.cpp apps/commands/d*.cpp)
