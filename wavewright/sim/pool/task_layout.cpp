#include "wavewright/sim/pool/task_layout.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "wavewright/core/error.h"
#include "wavewright/sched/job_facts.h"
#include "wavewright/sim/model/estimate.h"

namespace wavewright {

namespace {

constexpr auto narrow_limit = static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max());

bool any_shuffle(const Workload& workload) {
  return std::any_of(workload.jobs.begin(), workload.jobs.end(),
                     [](const Job& job) { return !job.first_shuffles.empty() || !job.shuffles.empty(); });
}

// Width and horizon are known only after a first pass over all tasks.
struct Extent {
  std::int64_t longest = 0;
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t horizon = 0;

  void take(const Job& job, Duration duration) {
    if (duration < Duration{} || duration > longest_duration) {
      throw InputError({}, "job '" + job.id + "' has a task of " + std::to_string(to_ms(duration)) + " ms",
                       "task durations are from 0 to " + std::to_string(to_ms(longest_duration)) + " ms");
    }
    longest = std::max(longest, to_ms(duration));
    shortest = std::min(shortest, to_ms(duration));
    if (__builtin_add_overflow(horizon, static_cast<std::uint64_t>(to_ms(duration)), &horizon)) {
      throw InputError({}, "the workload's total work does not fit 64 bits of milliseconds",
                       "check the durations");
    }
  }
};

Extent measure(const Workload& workload) {
  Extent extent;
  std::int64_t last = 0;
  for (const Job& job : workload.jobs) {
    if (job.submit < Time{} || job.submit > Time{longest_duration}) {
      throw InputError({},
                       "job '" + job.id + "' is submitted at " + std::to_string(to_ms(job.submit)) + " ms",
                       "submission times are from 0 to " + std::to_string(to_ms(longest_duration)) + " ms");
    }
    last = std::max(last, to_ms(job.submit));
    for (const Duration map : job.maps) extent.take(job, map);
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      extent.take(job, job.longest_reduce(i));
      extent.shortest = std::min(extent.shortest, to_ms(job.least_reduce(i)));
    }
  }
  extent.horizon += static_cast<std::uint64_t>(last);
  return extent;
}

template <class Tick>
void fill(const Workload& workload, TaskTable::Layout::Durations<Tick>& out, std::size_t maps,
          std::size_t reduces) {
  const bool shuffle = any_shuffle(workload);
  out.maps.reserve(maps);
  out.reduces_first.reserve(reduces);
  if (shuffle) out.reduces_later.reserve(reduces);
  for (const Job& job : workload.jobs) {
    for (const Duration map : job.maps) out.maps.push_back(static_cast<Tick>(to_ms(map)));
    for (std::size_t i = 0; i < job.reduces.size(); ++i) {
      out.reduces_first.push_back(static_cast<Tick>(to_ms(job.reduces[i] + job.first_shuffle(i))));
      if (shuffle)
        out.reduces_later.push_back(static_cast<Tick>(to_ms(job.reduces[i] + job.later_shuffle(i))));
    }
  }
}

}  // namespace

TaskTable::TaskTable(const Workload& workload) : layout_(std::make_unique<Layout>(workload)) {
  Layout& layout = *layout_;
  const Extent extent = measure(workload);
  layout.horizon = extent.horizon;
  layout.zero_length = extent.shortest == 0;
  layout.narrow = extent.longest <= narrow_limit;
  std::uint64_t maps = 0, reduces = 0;
  for (const Job& job : workload.jobs) {
    Layout::Row row;
    row.submit = job.submit;
    row.first_map = maps;
    row.first_reduce = reduces;
    row.maps = static_cast<std::uint32_t>(job.maps.size());
    row.reduces = static_cast<std::uint32_t>(job.reduces.size());
    const Job& known = sim::known_job(workload, static_cast<JobIndex>(layout.jobs.size()));
    row.map = sim::estimate_of(known, Kind::map).at_speed_1();
    row.reduce = sim::estimate_of(known, Kind::reduce).at_speed_1();
    maps += row.maps;
    reduces += row.reduces;
    layout.jobs.push_back(row);
    const JobFacts facts = facts_of(job, {});
    layout.facts_of.push_back({job.id, job.name, job.user, job.queue, facts.deadline, facts.value,
                               facts.delay_cost_per_s, facts.input});
  }
  if (layout.narrow) {
    fill(workload, layout.narrow_ms, maps, reduces);
  } else {
    fill(workload, layout.wide_ms, maps, reduces);
  }
}

JobFacts TaskTable::Layout::facts(JobIndex job) const {
  const Facts& own = facts_of.at(job);
  return {.id = own.id,
          .name = own.name,
          .user = own.user,
          .queue = own.queue,
          .submit = jobs[job].submit,
          .deadline = own.deadline,
          .value = own.value,
          .delay_cost_per_s = own.delay_cost_per_s,
          .input = own.input,
          .maps = jobs[job].maps,
          .reduces = jobs[job].reduces,
          .predecessors = releases.edges().predecessors(job)};
}

Duration TaskTable::Layout::quantile(JobIndex job, Kind kind, double q) const {
  if (expected) return quantile_of(expected->jobs.at(job), kind, q);
  const Row& row = jobs.at(job);
  const auto of = [&](const auto& all) {
    const auto from = kind == Kind::map
                          ? all.maps.begin() + static_cast<std::ptrdiff_t>(row.first_map)
                          : all.reduces_first.begin() + static_cast<std::ptrdiff_t>(row.first_reduce);
    const std::uint32_t count = kind == Kind::map ? row.maps : kind == Kind::reduce ? row.reduces : 0;
    std::vector lengths(from, from + count);
    if (kind == Kind::reduce && !all.reduces_later.empty()) {
      for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = std::max(lengths[i], all.reduces_later[row.first_reduce + i]);
    }
    return order_statistic(std::move(lengths), q);
  };
  return ms(static_cast<std::int64_t>(narrow ? of(narrow_ms) : of(wide_ms)));
}

TaskTable::~TaskTable() = default;
TaskTable::TaskTable(TaskTable&&) noexcept = default;
TaskTable& TaskTable::operator=(TaskTable&&) noexcept = default;

}  // namespace wavewright
