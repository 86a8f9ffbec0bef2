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

struct Stay {
  Time submit;
  Time finish;
  std::string id;
};

}  // namespace

std::set<std::string> shared_runs(std::span<const RunHeader> runs) {
  std::vector<Stay> stays;
  for (const RunHeader& run : runs) {
    if (run.submit && run.finish) stays.push_back({*run.submit, *run.finish, run.id});
  }
  std::stable_sort(stays.begin(), stays.end(),
                   [](const Stay& a, const Stay& b) { return a.submit < b.submit; });
  std::set<std::string> shared;
  std::map<std::string, const Stay*> latest_finish;  // by cluster, over the stays so far
  for (const Stay& stay : stays) {
    const Stay*& latest = latest_finish[cluster_of(stay.id)];
    if (latest != nullptr && stay.submit < latest->finish) {
      shared.insert(stay.id);
      shared.insert(latest->id);
    }
    if (latest == nullptr || stay.finish > latest->finish) latest = &stay;
  }
  return shared;
}

}  // namespace wavewright
