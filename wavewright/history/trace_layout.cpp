#include "wavewright/history/trace_layout.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// `job_`, a number, `_`, a number that fits an int: Hadoop's JobID and TaskID accept nothing else.
bool is_hadoop_id(std::string_view id) {
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!id.starts_with("job_")) return false;
  id.remove_prefix(4);
  const auto underscore = id.find('_');
  if (underscore == std::string_view::npos) return false;
  const std::string_view number = id.substr(underscore + 1);
  return is_number(id.substr(0, underscore)) && is_number(number) && number.size() < 10;
}

}  // namespace

ReduceSpan TraceLayout::reduce(std::size_t reduce) const {
  const Duration shuffle =
      job->first_shuffles.empty() ? job->later_shuffle(reduce) : job->first_shuffle(reduce);
  const Time shuffled = reduces_start + shuffle;
  return {reduces_start, shuffled, shuffled + job->reduces[reduce]};
}

TraceLayout lay_out(const Job& job, Time origin) {
  TraceLayout layout;
  layout.job = &job;
  layout.submit = origin + job.submit.time_since_epoch();
  layout.tells_shuffle = !job.first_shuffles.empty() || !job.shuffles.empty();
  layout.reduces_start = layout.submit;
  for (const Duration map : job.maps) {
    layout.reduces_start = std::max(layout.reduces_start, layout.submit + map);
  }
  layout.finish = layout.reduces_start;
  if (job.first_shuffles.empty() && !job.shuffles.empty() && !job.maps.empty()) {
    layout.reduces_start += ms(1);
  }
  for (std::size_t i = 0; i < job.reduces.size(); ++i) {
    layout.finish = std::max(layout.finish, layout.reduce(i).finish);
  }
  if (layout.finish.time_since_epoch() > longest_duration) {
    throw InputError({}, fmt::format("job '{}' ends too late for a trace", job.id),
                     fmt::format("the last instant of a trace is {} ms", to_ms(longest_duration)));
  }
  return layout;
}

std::vector<std::string> hadoop_ids(const Workload& workload) {
  std::vector<std::string> ids;
  ids.reserve(workload.jobs.size());
  std::unordered_set<std::string> taken;
  for (const Job& job : workload.jobs) {
    if (is_hadoop_id(job.id)) taken.insert(job.id);
  }
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    std::string id = workload.jobs[i].id;
    if (!is_hadoop_id(id)) {
      for (std::size_t number = i + 1;; number += workload.jobs.size()) {
        id = fmt::format("job_1_{:04}", number);
        if (taken.insert(id).second) break;
      }
    }
    ids.push_back(std::move(id));
  }
  return ids;
}

std::vector<std::string> trace_imputations(const Workload& workload, const std::vector<std::string>& ids) {
  std::vector<std::string> imputed = {
      "times: every map starts at its job's submission, every reduce at the end of the job's last map",
      "hosts: a map runs on the first host of its split, all else on /default-rack/node1"};
  Count renamed = 0;
  std::string example;
  Count without_queue = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != workload.jobs[i].id && renamed++ == 0) example = ids[i];
    without_queue += workload.jobs[i].queue.empty() ? 1 : 0;
  }
  if (renamed > 0) {
    imputed.push_back(fmt::format("ids of {} jobs in Hadoop's form, such as {}", renamed, example));
  }
  if (without_queue > 0) imputed.push_back(fmt::format("queue 'default' for {} jobs", without_queue));
  return imputed;
}

std::string host_of_map(const Job& job, std::size_t map) {
  const bool known = !job.splits.empty() && !job.splits[map].empty();
  return "/default-rack/" + (known ? job.splits[map].front() : std::string("node1"));
}

std::string json_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace wavewright
