# The headers that a user of the library includes, by what he wants to do. They are installed together with
# the headers that they include: a script of the installation, so that an edited header needs no new configuration.
# Expects wavewright_source and wavewright_include, the folder to install to.
cmake_policy(VERSION 3.25)
set(public_headers
  # errors, times, random streams
  core/error.h core/quantity.h core/random.h core/stop.h core/time.h
  # jobs, workloads, clusters and their files
  job/generators.h job/job.h job/profile.h job/workload_file.h cluster/cluster.h cluster/cluster_file.h
  # histories into runs, runs into a store, runs into profiles and jobs
  history/reader.h history/source.h history/to_job.h store/importer.h store/store.h profile/profile.h
  # write a policy, name a policy, use those that there are, read a plan
  sched/policy.h sched/registry.h sched/policy_spec.h sched/policy_library.h
  sched/policies/capacity.h sched/placers/delay.h sched/policies/fair.h sched/policies/fifo.h sched/placers/matchmaking.h
  sched/placers/one_non_local.h sched/plan.h sched/plan_file.h sched/policies/plan_policy.h
  # simulate
  sim/result.h sim/simulate.h sim/simulate_cluster.h sim/experiment/sweep.h sim/output/trace_file.h sim/output/usage_file.h
  # predict, plan, report
  predict/predict.h predict/predictor.h predict/predicted_slots.h predict/slots.h
  plan/bounds/lower_bound.h plan/evaluate.h plan/planner.h
  report/report.h report/simulation_report.h)
list(TRANSFORM public_headers PREPEND wavewright/)

# Installs `headers` and all that they include, down to the last.
set(installed)
while(public_headers)
  list(POP_FRONT public_headers header)
  if(header IN_LIST installed)
    continue()
  endif()
  if(NOT EXISTS ${wavewright_source}/${header})
    message(FATAL_ERROR "no ${header}: cmake/PublicHeaders.cmake names it, or a public header includes it")
  endif()
  list(APPEND installed ${header})
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL ${wavewright_source}/${header} DESTINATION ${wavewright_include}/${folder})
  file(STRINGS ${wavewright_source}/${header} includes REGEX "^#include \"")
  list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
  list(APPEND public_headers ${includes})
endwhile()
