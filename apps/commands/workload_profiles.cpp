#include "apps/commands/workload_profiles.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "wavewright/profile/groups.h"
#include "wavewright/profile/open_durations.h"
#include "wavewright/profile/profile.h"
#include "wavewright/store/phases.h"
#include "wavewright/store/sharing.h"

namespace wavewright::app {

namespace {

using Shared = std::shared_ptr<const std::set<std::string>>;
using RunKey = std::pair<std::string, std::optional<Time>>;  // id and submission

RunKey key_of(const RunPhases& run) {
  return {run.id, run.submit};
}

// The durations of all runs of a name, by run: those that a prediction of the run uses.
std::map<RunKey, OpenDurations> durations_of(const std::string& name, const std::vector<RunPhases>& runs,
                                             const Shared& shared, LeftOutCounts& never) {
  std::map<RunKey, OpenDurations> all;
  for (const RunGroup& group : group_runs(runs)) {
    const RunChoice choice = Predictor(name, runs_of(group, runs), shared, {}).choose();
    never += choice.never_used();
    const OpenDurations open = open_durations(build_profile(name, choice.runs));
    for (const std::size_t run : group.runs) all.emplace(key_of(runs[run]), open);
  }
  return all;
}

// A job has its run's id, perhaps with a suffix (history/to_job.h).
bool is_of(const Job& job, Time first, const RunPhases& run) {
  if (run.submit != first + job.submit.time_since_epoch()) return false;
  return job.id == run.id || job.id.starts_with(run.id + "-");
}

}  // namespace

void ProfiledLengths::add(const JobRun& run) {
  runs_.push_back(phases_of(run));
  names_.push_back(run.name);
}

std::vector<OpenDurations> ProfiledLengths::of(const Workload& batch, Time first, const Store& store) {
  const auto shared = std::make_shared<const std::set<std::string>>(shared_runs(store));
  std::map<std::string, std::map<RunKey, OpenDurations>> by_name;
  std::multimap<Time, std::pair<const RunPhases*, OpenDurations>> by_submission;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const auto [known, is_new] = by_name.try_emplace(names_[i]);
    if (is_new && !names_[i].empty()) {
      known->second = durations_of(names_[i], load_phases(store, names_[i]), shared, left_out_);
    }
    const auto found = known->second.find(key_of(runs_[i]));
    const OpenDurations open = found == known->second.end()
                                   ? open_durations(build_profile(names_[i], std::span(&runs_[i], 1)))
                                   : found->second;
    if (runs_[i].submit) by_submission.emplace(*runs_[i].submit, std::pair(&runs_[i], open));
  }
  std::vector<OpenDurations> durations;
  for (const Job& job : batch.jobs) {
    const auto [begin, end] = by_submission.equal_range(first + job.submit.time_since_epoch());
    const auto own =
        std::find_if(begin, end, [&](const auto& each) { return is_of(job, first, *each.second.first); });
    durations.push_back(own == end ? OpenDurations{} : own->second.second);
  }
  return durations;
}

}  // namespace wavewright::app
