# Small folders are compiled as one file each: most of a file's time goes to headers and to templates that its
# neighbours instantiate, too. -DWAVEWRIGHT_UNITY=OFF compiles each file by itself, which is quicker after an edit.
option(WAVEWRIGHT_UNITY "Compile small folders as one file each" ON)

# Files that have names of their own in common with a neighbour, or options of their own.
set(unity_apart
  apps/data_folder.cpp
  apps/version.cpp
  wavewright/job/generators_hp.cpp
  wavewright/job/swf_write.cpp
  wavewright/job/swim.cpp
  wavewright/report/charts/evaluation_chart.cpp
  wavewright/report/charts/fit_figures.cpp
  wavewright/report/charts/price_chart.cpp
  wavewright/report/charts/line_chart.cpp
  wavewright/report/charts/frontier_chart.cpp
  wavewright/report/rental_report.cpp
  wavewright/report/sections/profiles_section.cpp
  wavewright/report/sections/risk_section.cpp
  wavewright/report/sections/slots_section.cpp
  wavewright/report/simulation/jobs.cpp
  wavewright/report/simulation/leases.cpp
  wavewright/report/simulation/marks.cpp
  wavewright/store/maintain_copy.cpp
  wavewright/store/maintain_vacuum.cpp
  wavewright/store/task_codec.cpp)

# Files of `target` that match a glob are compiled together, at most `most` as one. What CMake's own UNITY_BUILD
# writes has absolute paths, which a compiler cache cannot share between checkouts.
function(unity_group target most)
  if(NOT WAVEWRIGHT_UNITY)
    return()
  endif()
  foreach(pattern IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${pattern})
    list(REMOVE_ITEM sources ${unity_apart})
    string(MAKE_C_IDENTIFIER "${pattern}" name)
    set(part 0)
    while(sources)
      list(SUBLIST sources 0 ${most} together)
      list(REMOVE_ITEM sources ${together})
      list(LENGTH together count)
      if(count EQUAL 1)
        break()
      endif()
      set_source_files_properties(${together} PROPERTIES HEADER_FILE_ONLY ON)
      list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"\n")
      string(CONCAT text ${together})
      set(file ${CMAKE_BINARY_DIR}/unity/${name}${part}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      target_sources(${target} PRIVATE ${file})
      math(EXPR part "${part} + 1")
    endwhile()
  endforeach()
endfunction()

set(folders
  cloud/deadline cloud/instances cloud/prices
  cluster
  dispatch
  energy energy/meters energy/fit
  streaming
  history history/hadoop1 history/jhist history/rumen history/sls history/source
  job
  plan plan/analysis plan/bounds plan/bounds/time_window plan/methods plan/robust plan/schedule plan/users
  predict
  profile
  rent
  report report/charts report/documents report/page report/sections report/simulation
  sched sched/ledger sched/placers sched/policies
  sim/calibration sim/containers sim/experiment sim/kernel sim/metrics sim/model sim/nodes sim/output sim/pool
  sim/reference
  store)
if(WAVEWRIGHT_SANITIZE)
  list(REMOVE_ITEM folders store)  # which has options of its own then
endif()
list(TRANSFORM folders PREPEND wavewright/)
list(TRANSFORM folders APPEND /*.cpp)
unity_group(wavewright_lib 24 ${folders})
unity_group(wavewright 16 apps/*.cpp apps/completion/*.cpp apps/engine/*.cpp apps/reproduce/*.cpp
  apps/commands/plan*.cpp apps/commands/simulate*.cpp apps/commands/workload*.cpp apps/commands/profile*.cpp
  apps/commands/report*.cpp apps/commands/rent*.cpp apps/commands/predict*.cpp apps/commands/queue*.cpp
  apps/commands/job*.cpp apps/commands/energy*.cpp apps/commands/sl*.cpp apps/commands/st*.cpp
  apps/commands/sweep*.cpp apps/commands/i*.cpp apps/commands/c*.cpp apps/commands/d*.cpp)
