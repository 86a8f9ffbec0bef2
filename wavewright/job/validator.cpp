#include "wavewright/job/validator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/memory.h"

namespace wavewright {

namespace {

// Bound on a workload's total work, so that no sum of times overflows 64 bits.
constexpr std::int64_t max_work_ms = std::int64_t{1} << 61;

}  // namespace

Count most_tasks() {
  constexpr std::uint64_t bytes_per_task = 16;
  static const auto most = static_cast<Count>(available_memory() / bytes_per_task);
  return most;
}

std::string too_many_tasks(Count most) {
  return fmt::format("more than {} tasks in one workload, for which the available memory does not suffice",
                     most);
}

void WorkloadValidator::refuse(const Job& job, std::int64_t line, const std::string& what,
                               const std::string& remedy) const {
  throw InputError({source_, line}, fmt::format("job '{}': {}", job.id, what), remedy);
}

void WorkloadValidator::check_durations(const Job& job, std::int64_t line, const char* field,
                                        const std::vector<Duration>& durations) {
  for (std::size_t i = 0; i < durations.size(); ++i) {
    const Duration duration = durations[i];
    if (duration < Duration{}) {
      refuse(job, line, fmt::format("{}[{}] is negative ({})", field, i, to_ms(duration)),
             "durations are whole milliseconds from 0");
    }
    if (duration > longest_duration) {
      refuse(job, line, fmt::format("{}[{}] is too long ({} ms)", field, i, to_ms(duration)),
             fmt::format("the longest duration is {} ms", to_ms(longest_duration)));
    }
    work_ms_ += to_ms(duration);
    if (work_ms_ > max_work_ms) {
      refuse(job, line, "all durations together are too long to be added up", "split the workload");
    }
  }
}

void WorkloadValidator::check_times(const Job& job, std::int64_t line) const {
  const auto check = [&](const char* field, Time time, const char* from) {
    if (time >= Time{} && time.time_since_epoch() <= longest_duration) return;
    refuse(job, line, fmt::format("{} is out of range ({})", field, to_ms(time)),
           fmt::format("it counts from {} to {}", from, to_ms(longest_duration)));
  };
  const char* const beginning = "0, the workload's beginning,";
  check("submit_ms", job.submit, beginning);
  if (job.not_before) check("not_before_ms", *job.not_before, beginning);
  if (job.submitted) check("submitted_ms", *job.submitted, "1970");
  if (!job.deadline) return;
  check("deadline_ms", *job.deadline, beginning);
  if (*job.deadline >= job.submit) return;
  const bool held = job.not_before && *job.not_before == job.submit;
  refuse(job, line,
         fmt::format("deadline_ms ({}) is before {} ({})", to_ms(*job.deadline),
                     held ? "not_before_ms" : "submit_ms", to_ms(job.submit)),
         "let it be due after it may be submitted, or leave deadline_ms out");
}

void WorkloadValidator::check_tasks(const Job& job, std::int64_t line) {
  check_durations(job, line, "map_ms", job.maps);
  check_durations(job, line, "reduce_ms", job.reduces);
  check_durations(job, line, "first_shuffle_ms", job.first_shuffles);
  check_durations(job, line, "shuffle_ms", job.shuffles);
  const auto as_reduces = [&](const char* field, const std::vector<Duration>& list) {
    if (!list.empty() && list.size() != job.reduces.size()) {
      refuse(job, line,
             fmt::format("{} has {} entries for {} reduces", field, list.size(), job.reduces.size()),
             "give one a reduce, or leave the field out");
    }
  };
  as_reduces("first_shuffle_ms", job.first_shuffles);
  as_reduces("shuffle_ms", job.shuffles);
}

void WorkloadValidator::check_command(const Job& job, std::int64_t line) const {
  if (job.command.empty()) return;
  if (job.command.front().empty())
    refuse(job, line, "its command begins with an empty text", "name a program");
  std::size_t bytes = 0;
  for (const std::string& argument : job.command) {
    if (argument.find('\0') != std::string::npos)
      refuse(job, line, "an argument of its command holds a zero byte", "no program can be given one");
    bytes += argument.size() + 1;
  }
  if (bytes > longest_command) {
    refuse(job, line, fmt::format("its command has {} bytes", bytes),
           fmt::format("the longest has {}; put the rest into a file", longest_command));
  }
}

void WorkloadValidator::check_classes(const Job& job, std::int64_t line) const {
  for (const auto& [name, speed] : job.classes) {
    const double factor = speed.energy_factor.value_or(1);
    const double its = speed.speed.value_or(1);
    const bool usable =
        std::isfinite(its) && its > 0 && speed.parallelism >= 1 && std::isfinite(factor) && factor > 0;
    if (!usable) {
      refuse(job, line,
             fmt::format("class '{}' has a speed, parallelism or energy factor of 0 or less", name),
             "give positive numbers");
    }
    // Beyond these it is a typing error: measured factors are near 1.
    constexpr double least_factor = 1e-6, most_factor = 1e6;
    if (factor < least_factor || factor > most_factor)
      refuse(job, line, fmt::format("class '{}' has an energy_factor of {}", name, factor),
             "give energy_factor from 0.000001 to 1000000");
    if (speed.power_w && factor != 1)
      refuse(job, line, fmt::format("class '{}' has power_w and an energy_factor", name),
             "leave one of them out: each gives the energy of its maps there");
    constexpr double most_watts = 1e9;
    if (speed.power_w && !(*speed.power_w >= 0 && *speed.power_w <= most_watts))
      refuse(job, line, fmt::format("class '{}' has a power of {} W", name, *speed.power_w),
             "give power_w from 0 to 1000000000");
  }
}

void WorkloadValidator::add(const Job& job, std::int64_t line) {
  if (job.id.empty()) {
    throw InputError({source_, line}, fmt::format("job {} has an empty id", lines_.size() + 1),
                     "give every job an id of its own");
  }
  if (elsewhere_.contains(job.id))
    refuse(job, line, "there is a job of that id already", "give every job an id of its own");
  const auto [known, fresh] = index_.try_emplace(job.id, static_cast<std::uint32_t>(lines_.size()));
  if (!fresh) {
    const std::int64_t before = lines_[known->second];
    refuse(job, line,
           before > 0 ? fmt::format("the id was used before, on line {}", before) : "the id was used before",
           "give every job an id of its own");
  }
  lines_.push_back(line);
  tasks_ += static_cast<Count>(job.maps.size() + job.reduces.size());
  if (tasks_ > most_tasks_) refuse(job, line, too_many_tasks(most_tasks_), "split the workload");
  if (static_cast<Count>(std::max(job.maps.size(), job.reduces.size())) > most_tasks_of_job) {
    refuse(job, line, fmt::format("more than {} tasks of a kind", most_tasks_of_job), "split the job");
  }
  check_times(job, line);
  times_.push_back({job.submit, job.deadline.value_or(Time::max())});
  check_tasks(job, line);
  if (!job.splits.empty() && job.splits.size() != job.maps.size()) {
    refuse(job, line, fmt::format("splits has {} entries for {} maps", job.splits.size(), job.maps.size()),
           "give one a map, or leave the field out");
  }
  check_command(job, line);
  check_classes(job, line);
  for (const std::string& after : job.after) edges_.push_back({known->second, after});
}

std::string WorkloadValidator::id_of(std::uint32_t job) const {
  for (const auto& [id, position] : index_) {
    if (position == job) return id;
  }
  return {};
}

void WorkloadValidator::finish() const {
  // Kahn's algorithm: remove jobs without predecessors; the rest is on or behind a cycle. On the way: when a
  // job may be submitted at the earliest, and whose submission that is.
  struct Release {
    Time at{};
    std::uint32_t of = 0;
  };
  std::vector<std::vector<std::uint32_t>> followers(edges_.empty() ? 0 : lines_.size());
  std::vector<std::uint32_t> waits(followers.size());
  for (const Edge& edge : edges_) {
    const auto found = index_.find(edge.after);
    if (found == index_.end() && elsewhere_.contains(edge.after)) continue;
    if (found == index_.end()) {
      throw InputError({source_, lines_[edge.job]},
                       fmt::format("'after' names an unknown job '{}'", edge.after),
                       "name a job of this workload");
    }
    followers[found->second].push_back(edge.job);
    ++waits[edge.job];
  }
  std::vector<Release> releases(waits.size());
  std::vector<std::uint32_t> free;
  for (std::uint32_t job = 0; job < waits.size(); ++job) {
    releases[job] = {times_[job].submit, job};
    if (waits[job] == 0) free.push_back(job);
  }
  std::size_t done = 0;
  for (; done < free.size(); ++done) {
    const Release& release = releases[free[done]];
    if (times_[free[done]].deadline < release.at) refuse_release(free[done], release.of);
    for (const std::uint32_t follower : followers[free[done]]) {
      if (releases[follower].at < release.at) releases[follower] = release;
      if (--waits[follower] == 0) free.push_back(follower);
    }
  }
  if (done == waits.size()) return;
  for (const auto& edge : edges_) {
    if (waits[edge.job] == 0) continue;
    throw InputError({source_, lines_[edge.job]},
                     fmt::format("'after' goes in a circle, through a job that waits for '{}'", edge.after),
                     "take one of the circle's edges out");
  }
}

void WorkloadValidator::refuse_release(std::uint32_t job, std::uint32_t waits_for) const {
  throw InputError(
      {source_, lines_[job]},
      fmt::format("job '{}': it is due at {} ms, and waits for '{}', which is not submitted before "
                  "{} ms",
                  id_of(job), to_ms(times_[job].deadline), id_of(waits_for), to_ms(times_[waits_for].submit)),
      "let it be due later, or submit the other one sooner");
}

void check(const Workload& workload, const std::string& source) {
  WorkloadValidator validator(source);
  for (const Job& job : workload.jobs) validator.add(job);
  validator.finish();
}

}  // namespace wavewright
