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

std::set<std::string> shared_runs(std::span<const RunHeader> runs) {
  std::vector<const RunHeader*> by_submission;
  for (const RunHeader& run : runs) {
    if (run.submit && run.finish) by_submission.push_back(&run);
  }
  std::stable_sort(by_submission.begin(), by_submission.end(),
                   [](const RunHeader* a, const RunHeader* b) { return *a->submit < *b->submit; });
  std::set<std::string> shared;
  std::map<std::string, const RunHeader*> latest_finish;  // by cluster, of the runs so far
  for (const RunHeader* run : by_submission) {
    const RunHeader*& latest = latest_finish[cluster_of(run->id)];
    if (latest != nullptr && *run->submit < *latest->finish) {
      shared.insert(run->id);
      shared.insert(latest->id);
    }
    if (latest == nullptr || *run->finish > *latest->finish) latest = run;
  }
  return shared;
}

}  // namespace wavewright
