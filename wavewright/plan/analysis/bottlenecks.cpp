#include "wavewright/plan/analysis/bottlenecks.h"

#include <algorithm>

#include <fmt/format.h>

#include "wavewright/plan/analysis/critical_chain.h"
#include "wavewright/plan/evaluate.h"

namespace wavewright {

namespace {

using By = Bottleneck::By;

constexpr std::size_t most_clauses = 6;

// Slot time of a kind in use.
class Busy {
 public:
  Busy(const SimulationResult& result, Kind kind) {
    for (const TaskRecord& task : result.trace) {
      if (task.kind != kind) continue;
      starts_.at.push_back(to_ms(task.start));
      ends_.at.push_back(to_ms(task.end));
    }
    starts_.prepare();
    ends_.prepare();
  }
  [[nodiscard]] double share(Time from, Time to, Count slots) const {
    if (slots <= 0 || to <= from) return 0;
    return (until(to) - until(from)) /
           (static_cast<double>(slots) * static_cast<double>((to - from).count()));
  }

 private:
  struct Instants {
    std::vector<std::int64_t> at;
    std::vector<double> sums = {0};  // prefix sums of `at`
    void prepare() {
      std::sort(at.begin(), at.end());
      for (const std::int64_t time : at) sums.push_back(sums.back() + static_cast<double>(time));
    }
    // Σ (time − instant) over the instants before `time`.
    [[nodiscard]] double since(std::int64_t time) const {
      const auto before = static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), time) - at.begin());
      return static_cast<double>(before) * static_cast<double>(time) - sums[before];
    }
  };
  [[nodiscard]] double until(Time time) const {
    return starts_.since(to_ms(time)) - ends_.since(to_ms(time));
  }
  Instants starts_, ends_;
};

By by_of(const ChainLink& link, Kind kind) {
  if (link.next_waited == ChainLink::For::job) return By::job;
  if (link.next_waited == ChainLink::For::slot) return kind == Kind::map ? By::map_slots : By::reduce_slots;
  return kind == Kind::map ? By::map : By::reduce;
}

bool is_slots(By by) {
  return by == By::map_slots || by == By::reduce_slots;
}

std::vector<Bottleneck> spans_of(const CriticalChain& chain, const SimulationResult& result) {
  std::vector<Bottleneck> spans;
  if (chain.links.empty()) return spans;
  const ChainLink& first = chain.links.front();
  const TaskRecord& first_task = result.trace[first.task];
  if (first.from > Time{}) {
    const By by = chain.complete                 ? By::submission
                  : first_task.kind == Kind::map ? By::map_slots
                                                 : By::reduce_slots;
    spans.push_back({by, Time{}, first.from, first_task.job, first_task.kind, 0, 0, 0, 0});
  }
  for (const ChainLink& link : chain.links) {
    const TaskRecord& task = result.trace[link.task];
    const Bottleneck span{
        by_of(link, task.kind), link.from, task.end, task.job, task.kind, task.task, 1, 0, 0};
    if (!spans.empty() && is_slots(span.by) && spans.back().by == span.by) {
      const Time from = spans.back().from;
      const Count tasks = spans.back().tasks + 1;
      spans.back() = span;
      spans.back().from = from;
      spans.back().tasks = tasks;
    } else if (task.end > link.from || &link == &chain.links.back()) {
      spans.push_back(span);
      if (span.by == By::job) spans.back().waiting = result.trace[(&link + 1)->task].job;
    }
  }
  return spans;
}

std::string rounded_percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

// `J17's longest reduce`, `J17's map 4`.
std::string task_text(const Bottleneck& span, const Workload& batch, const JobLabels& labels) {
  const Job& job = batch.jobs[span.job];
  const bool map = span.kind == Kind::map;
  const std::vector<Duration>& lengths = map ? job.maps : job.reduces;
  const std::string name(name_of(span.kind));
  const std::string& label = labels[span.job];
  if (lengths.size() == 1) return fmt::format("{}'s {}", label, name);
  const auto length = [&](std::size_t i) { return map ? lengths[i] : job.longest_reduce(i); };
  Duration longest{}, shortest = length(0);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    longest = std::max(longest, length(i));
    shortest = std::min(shortest, length(i));
  }
  if (shortest < longest && length(span.task) == longest) return fmt::format("{}'s longest {}", label, name);
  return fmt::format("{}'s {} {}", label, name, span.task);
}

// `again`: the clause before is about the same kind of slots, with shorter waits left out between them.
std::string clause(const Bottleneck& span, bool again, const Workload& batch, const JobLabels& labels) {
  const std::string until = format_duration(span.to - Time{});
  switch (span.by) {
    case By::submission:
      return fmt::format("nothing decides before {} is submitted at {}", labels[span.job], until);
    case By::map_slots:
    case By::reduce_slots:
      return fmt::format("{} slots {} until {} ({} in use)", span.by == By::map_slots ? "map" : "reduce",
                         again ? "again" : "are the bottleneck", until, rounded_percent(span.use));
    case By::map:
      return fmt::format("reduces wait for {} until {}", task_text(span, batch, labels), until);
    case By::job:
      return fmt::format("job {} waits for {} until {}", labels[span.waiting], task_text(span, batch, labels),
                         until);
    case By::reduce:
      break;
  }
  return fmt::format("{} runs until {}", task_text(span, batch, labels), until);
}

}  // namespace

std::string_view name_of(Bottleneck::By by) {
  switch (by) {
    case By::submission:
      return "submission";
    case By::map_slots:
      return "map-slots";
    case By::reduce_slots:
      return "reduce-slots";
    case By::map:
      return "map";
    case By::reduce:
      return "reduce";
    case By::job:
      return "job";
  }
  return "";
}

Bottlenecks bottlenecks_of(const Plan& plan, const Workload& batch, SlotPool pool,
                           const SimulationResult& result) {
  Bottlenecks found;
  found.map_use = result.map_utilisation(pool);
  found.reduce_use = result.reduce_utilisation(pool);
  found.spans = spans_of(critical_chain(plan, batch, result), result);
  const Busy maps(result, Kind::map), reduces(result, Kind::reduce);
  for (Bottleneck& span : found.spans) {
    if (span.by == By::map_slots) span.use = maps.share(span.from, span.to, pool.map_slots);
    if (span.by == By::reduce_slots) span.use = reduces.share(span.from, span.to, pool.reduce_slots);
  }
  return found;
}

Bottlenecks bottlenecks_of(const Plan& plan, const PlanningProblem& problem) {
  return bottlenecks_of(plan, *problem.batch, problem.cluster.pool,
                        simulate_plan(plan, *problem.batch, problem.cluster, true));
}

std::vector<JobIndex> chain_jobs(const Plan& plan, const Workload& batch, const SimulationResult& result) {
  std::vector<JobIndex> jobs;
  for (const ChainLink& link : critical_chain(plan, batch, result).links)
    jobs.push_back(result.trace[link.task].job);
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  return jobs;
}

std::string in_words(const Bottlenecks& found, const Workload& batch, const JobLabels& labels) {
  if (found.spans.empty()) return "";
  const Bottleneck& last = found.spans.back();
  std::vector<const Bottleneck*> told;
  told.reserve(found.spans.size());
  for (const Bottleneck& span : found.spans) told.push_back(&span);
  told.pop_back();
  if (told.size() > most_clauses) {  // keep the longest, in order of time
    std::stable_sort(told.begin(), told.end(), [](const Bottleneck* a, const Bottleneck* b) {
      return a->to - a->from > b->to - b->from;
    });
    told.resize(most_clauses);
    std::sort(told.begin(), told.end());
  }
  std::string text;
  const Bottleneck* before = nullptr;
  for (const Bottleneck* const span : told) {
    const bool again = before != nullptr && before->by == span->by;
    text += (text.empty() ? "" : "; then ") + clause(*span, again, batch, labels);
    before = span;
  }
  if (const std::size_t left = found.spans.size() - 1 - told.size(); left > 0)
    text += fmt::format("; and {} shorter waits", left);
  const std::string end =
      fmt::format("{} ({}) decides the end at {}", task_text(last, batch, labels),
                  format_duration(last.to - last.from), format_duration(last.to - Time{}));
  if (text.empty()) return end + ".";
  // Each clause begins with a lower-case word, not a job id, except that of By::reduce, which is always last.
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ". " + end + ".";
}

std::string in_words(const Bottlenecks& found, const Workload& batch) {
  return in_words(found, batch, JobLabels(batch.jobs));
}

}  // namespace wavewright
