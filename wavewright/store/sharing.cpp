#include "wavewright/store/sharing.h"

#include <algorithm>
#include <map>
#include <vector>

namespace wavewright {

namespace {

// `job_1700000000000` of `job_1700000000000_0001`.
std::string cluster_of(const std::string& id) {
  return id.substr(0, id.rfind('_'));
}

}  // namespace

std::set<std::string> shared_runs(std::span<const RunStay> runs) {
  std::vector<RunStay> stays(runs.begin(), runs.end());
  std::stable_sort(stays.begin(), stays.end(),
                   [](const RunStay& a, const RunStay& b) { return a.submit < b.submit; });
  std::set<std::string> shared;
  std::map<std::string, const RunStay*> latest_finish;  // by cluster, over the stays so far
  for (const RunStay& stay : stays) {
    const RunStay*& latest = latest_finish[cluster_of(stay.id)];
    if (latest != nullptr && stay.submit < latest->finish) {
      shared.insert(stay.id);
      shared.insert(latest->id);
    }
    if (latest == nullptr || stay.finish > latest->finish) latest = &stay;
  }
  return shared;
}

std::set<std::string> shared_runs(const Store& store) {
  return shared_runs(store.stays(Time::min(), Time::max()));
}

std::set<std::string> shared_runs(const Store& store, std::span<const RunPhases> runs) {
  std::optional<Time> first;
  std::optional<Time> last;
  for (const RunPhases& run : runs) {
    if (!run.submit || !run.finish) continue;
    first = first ? std::min(*first, *run.submit) : *run.submit;
    last = last ? std::max(*last, *run.finish) : *run.finish;
  }
  if (!first) return {};
  return shared_runs(store.stays(*first, *last));
}

}  // namespace wavewright
