#include "wavewright/job/job_labels.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace wavewright {

namespace {

// Length of the beginning that all ids share, up to and with its last separator; 0 if that is all of one id.
std::size_t shared_beginning(const std::vector<std::string_view>& ids) {
  const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
  const auto differ = std::mismatch(least->begin(), least->end(), most->begin(), most->end());
  const std::string_view shared = least->substr(0, static_cast<std::size_t>(differ.first - least->begin()));
  const std::size_t separator = shared.find_last_of("_-");
  return separator == std::string_view::npos || separator + 1 == least->size() ? 0 : separator + 1;
}

}  // namespace

JobLabels::JobLabels(const std::vector<Job>& jobs, bool ids) {
  std::map<std::string_view, std::vector<std::size_t>> of_name;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    labels_.push_back(jobs[job].id);
    if (!ids && !jobs[job].name.empty()) of_name[jobs[job].name].push_back(job);
  }
  for (const auto& [name, sharing] : of_name) {
    if (sharing.size() == 1) {
      labels_[sharing.front()] = name;
      continue;
    }
    std::vector<std::string_view> own;
    own.reserve(sharing.size());
    for (const std::size_t job : sharing) own.push_back(jobs[job].id);
    const std::size_t shared = shared_beginning(own);
    for (const std::size_t job : sharing) {
      labels_[job] = std::string(name) + " (" + jobs[job].id.substr(shared) + ")";
    }
  }
}

}  // namespace wavewright
