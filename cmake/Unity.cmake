# Small folders are compiled as one file each: most of a file's time goes to headers and to templates that its
# neighbours instantiate, too. -DWAVEWRIGHT_UNITY=OFF compiles each file by itself, which is quicker after an edit.
option(WAVEWRIGHT_UNITY "Compile small folders as one file each" ON)

# Files that have names of their own in common with a neighbour, or options of their own.
set(unity_apart
  apps/data_folder.cpp
  apps/version.cpp
  tests/cloud/choice/rental_choice_test.cpp
  tests/cloud/deadline/bill_test.cpp
  tests/cloud/deadline/containers_test.cpp
  tests/cloud/deadline/deadline_cost_test.cpp
  tests/cloud/deadline/notice_test.cpp
  tests/cloud/deadline/order_test.cpp
  tests/cloud/deadline/stuck_test.cpp
  tests/cloud/instances/instance_choice_test.cpp
  tests/cloud/instances/lease_price_test.cpp
  tests/cloud/prices/price_file_test.cpp
  tests/cloud/prices/real_like.cpp
  tests/cloud/provision/group_keeper_test.cpp
  tests/cloud/provision/observe_test.cpp
  tests/cloud/provision/schedules_test.cpp
  tests/cloud/provision/step_test.cpp
  tests/energy/plan_energy_test.cpp
  tests/energy/power_fit_test.cpp
  tests/history/to_job_test.cpp
  tests/job/task_order_test.cpp
  tests/job/workload_file_test.cpp
  tests/live/driver_waits_test.cpp
  tests/live/node_watch_test.cpp
  tests/live/outlook_test.cpp
  tests/live/pool_masters_test.cpp
  tests/live/promises_test.cpp
  tests/live/queue_check_test.cpp
  tests/live/submission_test.cpp
  tests/plan/analysis/compare_test.cpp
  tests/plan/analysis/curve_test.cpp
  tests/plan/analysis/risk_test.cpp
  tests/plan/demand_relaxation_test.cpp
  tests/plan/list_schedule_test.cpp
  tests/plan/tardiness/tardiness_plan_test.cpp
  tests/plan/time_window_bound_test.cpp
  tests/predict/length_update_test.cpp
  tests/predict/predict_test.cpp
  tests/predict/single_job_test.cpp
  tests/profile/fit_test.cpp
  tests/profile/groups_test.cpp
  tests/realtime/padding_test.cpp
  tests/rent/group_sizes_test.cpp
  tests/rent/online_test.cpp
  tests/rent/theorem_bounds_test.cpp
  tests/rent/two_policies_test.cpp
  tests/report/evaluation_chart_test.cpp
  tests/report/leases_section_test.cpp
  tests/report/line_chart_test.cpp
  tests/report/sample_run.cpp
  tests/report/simulation_report_test.cpp
  tests/reproduce/reproduce_test.cpp
  tests/sched/capacity_placers_test.cpp
  tests/sched/capacity_preemption_test.cpp
  tests/sched/conformance_test.cpp
  tests/sched/delay_test.cpp
  tests/sched/fair_containers_test.cpp
  tests/sched/fair_preemption_test.cpp
  tests/sched/fair_test.cpp
  tests/sched/matchmaking_decisions_test.cpp
  tests/sched/order_tree_test.cpp
  tests/sched/plan_check_test.cpp
  tests/sched/plan_file_test.cpp
  tests/sched/plan_policy_test.cpp
  tests/sched/policy_library_test.cpp
  tests/sched/ranked_order_test.cpp
  tests/sched/registry_test.cpp
  tests/sched/told_jobs_test.cpp
  tests/sim/calibrate_test.cpp
  tests/sim/leases_test.cpp
  tests/sim/lost_machines_test.cpp
  tests/sim/network_model_test.cpp
  tests/sim/waiting_test.cpp
  tests/store/url_test.cpp
  wavewright/job/generators_hp.cpp
  wavewright/job/swf_write.cpp
  wavewright/job/swim.cpp
  wavewright/report/charts/evaluation_chart.cpp
  wavewright/report/charts/fit_figures.cpp
  wavewright/report/charts/frontier_chart.cpp
  wavewright/report/charts/line_chart.cpp
  wavewright/report/charts/price_chart.cpp
  wavewright/report/rental_report.cpp
  wavewright/report/sections/profiles_section.cpp
  wavewright/report/sections/risk_section.cpp
  wavewright/report/sections/slots_section.cpp
  wavewright/report/simulation/jobs.cpp
  wavewright/report/simulation/leases.cpp
  wavewright/report/simulation/marks.cpp
  wavewright/store/maintain_copy.cpp
  wavewright/store/maintain_vacuum.cpp
  wavewright/store/task_codec.cpp
  tests/sched/fake_cluster.cpp  # other folders' tests take the fakes, too
  tests/sched/fake_turns.cpp
  tests/sched/fake_view.cpp
  tests/sched/recorder.cpp
  tests/store/migration_test.cpp)

# `sources` of `target` are compiled together, at most `most` as one. What CMake's own UNITY_BUILD writes has absolute
# paths, which a compiler cache cannot share between checkouts.
function(unity_sources target most name sources)
  if(NOT WAVEWRIGHT_UNITY)
    return()
  endif()
  list(REMOVE_ITEM sources ${unity_apart})
  string(MAKE_C_IDENTIFIER "${name}" name)
  set(part 0)
  while(sources)
    list(SUBLIST sources 0 ${most} together)
    list(REMOVE_ITEM sources ${together})
    list(LENGTH together count)
    if(count EQUAL 1)
      break()
    endif()
    list(TRANSFORM together PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE files)
    set_source_files_properties(${files} PROPERTIES HEADER_FILE_ONLY ON)
    list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"\n")
    string(CONCAT text ${together})
    set(file ${CMAKE_BINARY_DIR}/unity/${name}${part}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${UNITY_OPTIONS}")
    target_sources(${target} PRIVATE ${file})
    math(EXPR part "${part} + 1")
  endwhile()
endfunction()

# The same with the files that match a glob.
function(unity_group target most)
  foreach(pattern IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${pattern})
    unity_sources(${target} ${most} "${pattern}" "${sources}")
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
