#include "wavewright/job/task_order.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright {

namespace {

constexpr std::array task_orders = {std::pair{TaskOrder::longest_first, "longest-first"},
                                    std::pair{TaskOrder::as_listed, "as-listed"}};

// Empty if the lengths descend already.
template <class LengthOf>
std::vector<std::uint32_t> longest_first(std::size_t tasks, LengthOf length_of) {
  bool descends = true;
  for (std::size_t task = 1; task < tasks && descends; ++task)
    descends = length_of(task - 1) >= length_of(task);
  if (descends) return {};
  std::vector<std::uint32_t> places(tasks);
  std::iota(places.begin(), places.end(), 0U);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return length_of(a) > length_of(b); });
  return places;
}

// Does nothing for an empty list, such as shuffles that are all 0.
template <class Entry>
void arrange_list(std::vector<Entry>& entries, const std::vector<std::uint32_t>& places) {
  if (entries.size() != places.size()) return;
  std::vector<Entry> arranged;
  arranged.reserve(entries.size());
  for (const std::uint32_t listed : places) arranged.push_back(std::move(entries[listed]));
  entries = std::move(arranged);
}

}  // namespace

std::string to_string(TaskOrder order) {
  for (const auto& [known, name] : task_orders) {
    if (known == order) return name;
  }
  throw InternalError("a task order without a name");
}

TaskOrder parse_task_order(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [order, text] : task_orders) {
    if (name == text) return order;
    known.emplace_back(text);
  }
  throw UsageError("unknown order of tasks '" + name + "'", suggestion(name, known));
}

TaskPlaces::TaskPlaces(const Workload& listed, TaskOrder order) : jobs_(listed.jobs.size()) {
  if (order == TaskOrder::as_listed) return;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const Job& job = (listed.expected ? *listed.expected : listed).jobs[i];
    jobs_[i].maps = longest_first(job.maps.size(), [&](std::size_t map) { return job.maps[map]; });
    jobs_[i].reduces = longest_first(job.reduces.size(), [&](std::size_t reduce) {
      return job.reduces[reduce] + job.later_shuffle(reduce);
    });
    moves_ = moves_ || !jobs_[i].maps.empty() || !jobs_[i].reduces.empty();
  }
}

void TaskPlaces::arrange(Workload& workload) const {
  if (!moves_) return;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    Job& job = workload.jobs[i];
    const auto check = [&](const std::vector<std::uint32_t>& places, std::size_t tasks) {
      if (!places.empty() && places.size() != tasks)
        throw InternalError("job " + job.id + " has other tasks than those that were ordered");
    };
    check(jobs_[i].maps, job.maps.size());
    check(jobs_[i].reduces, job.reduces.size());
    if (!jobs_[i].maps.empty()) {
      arrange_list(job.maps, jobs_[i].maps);
      arrange_list(job.splits, jobs_[i].maps);
    }
    if (!jobs_[i].reduces.empty()) {
      arrange_list(job.reduces, jobs_[i].reduces);
      arrange_list(job.first_shuffles, jobs_[i].reduces);
      arrange_list(job.shuffles, jobs_[i].reduces);
    }
  }
}

Workload in_task_order(Workload listed, TaskOrder order) {
  TaskPlaces(listed, order).arrange(listed);
  return listed;
}

}  // namespace wavewright
