#include "wavewright/job/conversion_losses.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace wavewright {

std::vector<std::size_t> by_submission(const Workload& workload) {
  std::vector<std::size_t> order(workload.jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return workload.jobs[a].submit < workload.jobs[b].submit;
  });
  return order;
}

std::vector<std::string> fields_lost(const Workload& workload, std::initializer_list<JobField> told) {
  struct Loss {
    JobField field;
    const char* name;
    bool (*has)(const Job&);
  };
  static constexpr std::array all = {
      Loss{JobField::names, "names", [](const Job& j) { return !j.name.empty(); }},
      Loss{JobField::users_and_queues, "users and queues",
           [](const Job& j) { return !(j.user + j.queue).empty(); }},
      Loss{JobField::shuffles, "shuffles",
           [](const Job& j) { return !j.first_shuffles.empty() || !j.shuffles.empty(); }},
      Loss{JobField::deadlines, "deadlines", [](const Job& j) { return j.deadline.has_value(); }},
      Loss{JobField::after, "'after'", [](const Job& j) { return !j.after.empty(); }},
      Loss{JobField::bytes, "bytes", [](const Job& j) { return j.input || j.shuffled || j.output; }},
      Loss{JobField::splits, "splits", [](const Job& j) { return !j.splits.empty(); }},
      Loss{JobField::classes, "classes", [](const Job& j) { return !j.classes.empty(); }},
      Loss{JobField::memory, "containers' memory", [](const Job& j) { return j.memory != JobMemory{}; }},
      Loss{JobField::processors, "processor-bound tasks", [](const Job& j) { return j.processor_bound; }},
      Loss{JobField::failures, "failures", [](const Job& j) { return j.task_failure > 0; }},
      Loss{JobField::values, "values", [](const Job& j) { return j.value || j.delay_cost_per_s; }},
      Loss{JobField::unknown, "unknown fields", [](const Job& j) { return !j.unknown_fields.empty(); }},
  };
  std::vector<std::string> lost;
  for (const Loss& each : all) {
    if (std::find(told.begin(), told.end(), each.field) != told.end()) continue;
    const auto jobs = std::count_if(workload.jobs.begin(), workload.jobs.end(), each.has);
    if (jobs > 0) lost.push_back(fmt::format("{} of {} jobs", each.name, jobs));
  }
  return lost;
}

void DroppedRows::add(std::string_view reason, std::int64_t line) {
  const auto known =
      std::find_if(reasons_.begin(), reasons_.end(), [&](const Reason& each) { return each.text == reason; });
  if (known != reasons_.end()) {
    ++known->rows;
  } else {
    reasons_.push_back({std::string(reason), line, 1});
  }
}

Count DroppedRows::rows() const {
  return std::accumulate(reasons_.begin(), reasons_.end(), Count{0},
                         [](Count sum, const Reason& each) { return sum + each.rows; });
}

std::vector<std::string> DroppedRows::sentences() const {
  std::vector<std::string> sentences;
  sentences.reserve(reasons_.size());
  for (const Reason& each : reasons_) {
    sentences.push_back(fmt::format("{} rows: {} (first on line {})", each.rows, each.text, each.first_line));
  }
  return sentences;
}

}  // namespace wavewright
