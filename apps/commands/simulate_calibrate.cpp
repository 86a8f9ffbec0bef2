#include "apps/commands/simulate_calibrate.h"

#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "apps/commands/job_runs.h"
#include "apps/open_store.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/time.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/calibration/calibrate.h"
#include "wavewright/sim/calibration/known_jobs.h"

namespace wavewright::app {

namespace {

// The comments at the top of the file.
std::string heading(const std::string& text) {
  std::istringstream lines(text);
  std::string line, comments;
  while (std::getline(lines, line) && line.starts_with('#')) comments += line + "\n";
  return comments;
}

std::vector<JobRun> runs_of(const Context& context, const std::string& jobs) {
  const Store store = open_store(context);
  RunFilter filter;
  filter.name = jobs.find('*') == std::string::npos ? stored_name(store, jobs) : jobs;
  std::vector<JobRun> runs = store.runs(filter);
  if (runs.empty()) {
    throw UsageError("no stored run is called '" + jobs + "'",
                     "'wavewright jobs' shows what the store holds");
  }
  return runs;
}

void print(const Overheads& learnt, const std::optional<KnownJobsFit>& known, bool masters) {
  const Launches& launches = learnt.launches;
  std::cout << fmt::format("{} maps of {} runs\n", learnt.maps, learnt.runs);
  if (launches.processors == 0) {
    std::cout << "launches do not wait for one another, as far as these runs show\n";
  } else {
    std::cout << fmt::format(
        "a launch takes {} of a processor{}; those at once share {} processor{} of {}\n",
        format_duration(launches.work),
        masters ? ", that of an application master " + format_duration(launches.master_work) : "",
        launches.processors, launches.processors == 1 ? "" : "s",
        launches.of_node ? "their node" : "the cluster");
    std::cout << fmt::format(
        "maps of one job differ by {:.0f} ms on average, without their launches by {:.0f} ms\n",
        learnt.spread, learnt.spread_without_launch);
  }
  if (known)
    std::cout << fmt::format(
        "the work of {} runs is known; their times differ from the simulated ones by {:.1f} s on average\n",
        known->jobs, known->error / 1000);
  std::cout << fmt::format("{} {}, jobs end {} after their last task\n",
                           masters ? "after their launch application masters ask for containers in"
                                   : "after its submission a job's tasks may start in",
                           format_duration(learnt.master_start), format_duration(learnt.master_finish));
  if (learnt.shuffle)
    std::cout << fmt::format("a shuffle takes at least {}\n", format_duration(*learnt.shuffle));
  if (learnt.heartbeat)
    std::cout << fmt::format("tasks start on a node every {}, or a multiple of that\n",
                             format_duration(*learnt.heartbeat));
  if (learnt.master_heartbeat)
    std::cout << fmt::format("application masters start tasks every {}, or a multiple of that\n",
                             format_duration(*learnt.master_heartbeat));
  if (!learnt.heartbeat && !learnt.master_heartbeat) std::cout << "tasks' starts show no heartbeats\n";
}

Json as_json(const Overheads& learnt, const std::optional<KnownJobsFit>& known, const std::string& out) {
  const Launches& launches = learnt.launches;
  Json jobs = Json::array();
  for (const NetLengths& job : learnt.jobs) {
    Json deciles = Json::array();
    for (const Duration each : job.map_deciles) deciles.push_back(to_ms(each));
    jobs.push_back({{"name", job.name},
                    {"maps", job.total_maps},
                    {"map_ms", to_ms(job.map)},
                    {"map_deciles_ms", std::move(deciles)},
                    {"first_shuffle_ms", to_ms(job.first_shuffle)},
                    {"reduce_ms", to_ms(job.reduce)}});
  }
  return {{"runs", learnt.runs},
          {"maps", learnt.maps},
          {"known_jobs", known ? known->jobs : 0},
          {"known_error_ms", known ? Json(known->error) : Json()},
          {"out", out},
          {"launches",
           {{"work_ms", to_ms(launches.work)},
            {"master_work_ms", to_ms(launches.master_work)},
            {"processors", launches.processors},
            {"shared_by", launches.of_node ? "node" : "cluster"}}},
          {"spread_ms", learnt.spread},
          {"spread_without_launch_ms", learnt.spread_without_launch},
          {"master_start_ms", to_ms(learnt.master_start)},
          {"master_finish_ms", to_ms(learnt.master_finish)},
          {"shuffle_ms", learnt.shuffle ? Json(to_ms(*learnt.shuffle)) : Json()},
          {"heartbeat_ms", learnt.heartbeat ? Json(to_ms(*learnt.heartbeat)) : Json()},
          {"master_heartbeat_ms", learnt.master_heartbeat ? Json(to_ms(*learnt.master_heartbeat)) : Json()},
          {"jobs", std::move(jobs)}};
}

// `learnt`: from the lengths of tasks.
KnownJobsFit fit_known(const Context& context, const CalibrateFlags& flags, const std::vector<JobRun>& runs,
                       const Cluster& told, const Overheads& learnt) {
  const Workload known = read_workload(flags.known);
  Cluster cluster = told;
  apply(learnt, cluster);
  if (told.launches.processors > 0) cluster.launches = told.launches;  // lengths may not show them
  if (cluster.launches.processors == 0)
    context.note("launches are not sought: give [launches] processors in " + flags.cluster);
  const KnownJobsFit fit = fit_known_jobs(
      runs, known, cluster, [&] { return make_policy_on(flags.policy, cluster, flags.registry); });
  if (fit.left_out > 0) context.note(fmt::format("{} runs did not succeed and are left out", fit.left_out));
  constexpr double good = 0.07;
  if (fit.error > good * fit.length)
    context.note(
        fmt::format("runs differ from simulated ones by {:.1f} s, and take {:.1f} s: see that --policy {} is "
                    "the cluster's, "
                    "that the lengths in {} are right, and that nothing else ran",
                    fit.error / 1000, fit.length / 1000, flags.policy, flags.known));
  return fit;
}

}  // namespace

int simulate_calibrate(const Context& context, const CalibrateFlags& flags) {
  if (flags.cluster.empty()) {
    throw UsageError("--calibrate: of which cluster?",
                     "give --cluster FILE.toml; 'wavewright init' makes one");
  }
  Cluster cluster = read_cluster(flags.cluster);
  const std::vector<JobRun> runs = runs_of(context, flags.jobs);
  Overheads learnt = learn_overheads(runs, cluster);
  std::optional<KnownJobsFit> fit;
  if (!flags.known.empty()) {
    fit = fit_known(context, flags, runs, cluster, learnt);
    learnt = learn_overheads(runs, cluster, fit->launches);
    learnt.master_start = fit->master_start;
  }
  apply(learnt, cluster);
  const std::string out = flags.out.empty() ? flags.cluster : flags.out;
  const std::string text = heading(read_file(flags.cluster)) + to_toml(cluster);
  static_cast<void>(parse_cluster(text, out));  // the text written must be readable
  write_file(out, [&](std::ostream& stream) { stream << text; });
  if (context.json) {
    context.print(as_json(learnt, fit, out));
  } else {
    print(learnt, fit, cluster.mode.kind == ClusterMode::Kind::containers);
    context.note("calibrated: " + out);
  }
  return 0;
}

}  // namespace wavewright::app
