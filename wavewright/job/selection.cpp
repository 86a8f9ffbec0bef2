#include "wavewright/job/selection.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

std::vector<std::string> ids_of(const Workload& workload) {
  std::vector<std::string> ids;
  ids.reserve(workload.jobs.size());
  for (const Job& job : workload.jobs) ids.push_back(job.id);
  return ids;
}

std::vector<bool> chosen(const Workload& workload, const JobSelection& selection) {
  const std::vector<Job>& jobs = workload.jobs;
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs[a].submit < jobs[b].submit; });
  if (selection.first && *selection.first < static_cast<Count>(order.size()))
    order.resize(static_cast<std::size_t>(std::max<Count>(0, *selection.first)));
  const std::unordered_set<std::string> without(selection.without.begin(), selection.without.end());
  std::vector<bool> is(jobs.size(), false);
  for (const std::size_t job : order) {
    const bool early = !selection.within || jobs[job].submit < jobs[order.front()].submit + *selection.within;
    is[job] = early && !without.contains(jobs[job].id);
  }
  return is;
}

void check_predecessors(const Workload& workload) {
  std::unordered_set<std::string> there;
  for (const Job& job : workload.jobs) there.insert(job.id);
  for (const Job& job : workload.jobs) {
    for (const std::string& before : job.after) {
      if (there.contains(before)) continue;
      throw UsageError("job '" + job.id + "' waits for job '" + before + "', which is left out",
                       "leave out both or none");
    }
  }
}

void keep(Workload& workload, const std::vector<bool>& is) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    if (!is[i]) continue;
    if (kept != i) workload.jobs[kept] = std::move(workload.jobs[i]);
    ++kept;
  }
  workload.jobs.resize(kept);
}

}  // namespace

Workload select_jobs(Workload workload, const JobSelection& selection) {
  if (selection.takes_all()) return workload;
  if (!selection.without.empty()) {
    const std::vector<std::string> ids = ids_of(workload);
    const std::unordered_set<std::string> known(ids.begin(), ids.end());
    for (const std::string& id : selection.without) {
      if (!known.contains(id)) throw UsageError("no job '" + id + "' to leave out", suggestion(id, ids));
    }
  }
  const std::vector<bool> is = chosen(workload, selection);
  keep(workload, is);
  if (workload.expected) {
    auto expected = std::make_shared<Workload>(*workload.expected);
    keep(*expected, is);
    workload.expected = std::move(expected);
  }
  if (workload.jobs.empty()) throw UsageError("the selection leaves no job", "select more");
  check_predecessors(workload);
  return workload;
}

}  // namespace wavewright
