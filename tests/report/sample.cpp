#include "tests/report/sample.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <sstream>

#include <fmt/format.h>

#include "wavewright/core/random.h"

namespace wavewright::sample {

namespace {

const std::vector<std::string> applications = {"wordcount", "terasort", "grep",
                                               "log-join",  "pagerank", "daily-index"};

class Slots {
 public:
  explicit Slots(Count slots) {
    for (std::uint32_t slot = 0; slot < slots; ++slot) free_.emplace(0, slot);
  }
  // Start and slot of a task that may begin at `ready`.
  TaskRecord take(std::int64_t ready, Duration length) {
    const auto [free, slot] = free_.top();
    free_.pop();
    const std::int64_t start = std::max(free, ready);
    free_.emplace(start + length.count(), slot);
    TaskRecord record;
    record.slot = slot;
    record.start = at_ms(start);
    record.end = at_ms(start + length.count());
    return record;
  }

 private:
  using Free = std::pair<std::int64_t, std::uint32_t>;
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free_;
};

std::int64_t work(const std::vector<Duration>& tasks) {
  return std::accumulate(tasks.begin(), tasks.end(), Duration{}).count();
}

std::vector<std::size_t> johnson(const Workload& batch, SlotPool pool) {
  std::vector<std::size_t> order(batch.jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t job) {
    const std::int64_t a = work(batch.jobs[job].maps) / pool.map_slots;
    const std::int64_t b = work(batch.jobs[job].reduces) / pool.reduce_slots;
    return a < b ? std::pair(0, a) : std::pair(1, -b);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
  return order;
}

PhaseProfile phase(std::vector<Duration> durations) {
  PhaseProfile result;
  if (durations.empty()) return result;
  std::sort(durations.begin(), durations.end());
  result.count = static_cast<Count>(durations.size());
  result.min = durations.front();
  result.max = durations.back();
  result.mean_ms = static_cast<double>(work(durations)) / static_cast<double>(durations.size());
  result.sample = std::move(durations);
  return result;
}

}  // namespace

Workload workload(std::size_t jobs, std::size_t tasks_per_job, std::uint64_t seed) {
  Workload batch;
  for (std::size_t i = 0; i < jobs; ++i) {
    Random random(seed, "sample", i);
    Job job;
    job.id = fmt::format("J{}", i + 1);
    job.name = applications[random.below(applications.size())];
    job.user = fmt::format("user{}", i % 14);
    job.queue = i % 3 == 0 ? "root.night" : "root.day";
    const double size = static_cast<double>(tasks_per_job) * random.lognormal(-0.3, 0.8);
    const auto maps = static_cast<std::size_t>(1 + size * random.uniform(0.4, 0.9));
    const auto reduces = static_cast<std::size_t>(1 + size * random.uniform(0.05, 0.4));
    const double map_ms = random.uniform(8e3, 40e3), reduce_ms = random.uniform(15e3, 120e3);
    for (std::size_t t = 0; t < maps; ++t) {
      job.maps.push_back(ms(static_cast<std::int64_t>(map_ms * random.lognormal(0, 0.25))));
    }
    for (std::size_t t = 0; t < reduces; ++t) {
      job.reduces.push_back(ms(static_cast<std::int64_t>(reduce_ms * random.lognormal(0, 0.2))));
    }
    batch.jobs.push_back(std::move(job));
  }
  return batch;
}

SimulationResult schedule(const Workload& batch, SlotPool pool, const std::vector<std::size_t>& order) {
  SimulationResult result;
  result.jobs.resize(batch.jobs.size());
  Slots map_slots(pool.map_slots), reduce_slots(pool.reduce_slots);
  const auto run = [&](std::size_t job, Kind kind, std::size_t task, Duration length) {
    const JobOutcome& outcome = result.jobs[job];
    TaskRecord record = kind == Kind::map ? map_slots.take(to_ms(batch.jobs[job].submit), length)
                                          : reduce_slots.take(to_ms(outcome.maps_done), length);
    record.job = static_cast<JobIndex>(job);
    record.kind = kind;
    record.task = static_cast<std::uint32_t>(task);
    result.trace.push_back(record);
    (kind == Kind::map ? result.map_busy : result.reduce_busy) += length;
    return record.end;
  };
  for (const std::size_t job : order) {
    const Job& tasks = batch.jobs[job];
    JobOutcome& outcome = result.jobs[job];
    outcome.submit = outcome.maps_done = tasks.submit;
    for (std::size_t t = 0; t < tasks.maps.size(); ++t) {
      outcome.maps_done = std::max(outcome.maps_done, run(job, Kind::map, t, tasks.maps[t]));
    }
    outcome.finish = outcome.maps_done;
    for (std::size_t t = 0; t < tasks.reduces.size(); ++t) {
      outcome.finish = std::max(outcome.finish, run(job, Kind::reduce, t, tasks.reduces[t]));
    }
    result.makespan = std::max(result.makespan, outcome.finish.time_since_epoch());
    result.total_completion += outcome.finish - outcome.submit;
  }
  std::stable_sort(result.trace.begin(), result.trace.end(),
                   [](const TaskRecord& a, const TaskRecord& b) { return a.start < b.start; });
  return result;
}

ReportData report(const Workload& batch, SlotPool pool) {
  ReportData data;
  data.title = "Nightly batch";
  data.generated = "2026-11-20 06:00 UTC";
  data.pool = pool;
  std::vector<std::size_t> submission(batch.jobs.size());
  std::iota(submission.begin(), submission.end(), std::size_t{0});
  for (const Job& job : batch.jobs)
    data.jobs.push_back({job.id, job.name, job.user, job.queue, job.deadline});
  data.schedules.push_back({"submission order", schedule(batch, pool, submission)});
  const std::vector<std::size_t> planned = johnson(batch, pool);
  data.schedules.push_back({"Johnson's order", schedule(batch, pool, planned)});
  double head = 0, end = 0;  // the fluid flow shop in Johnson's order never takes longer
  for (const std::size_t job : planned) {
    head += static_cast<double>(work(batch.jobs[job].maps)) / static_cast<double>(pool.map_slots);
    end = std::max(end, head) +
          static_cast<double>(work(batch.jobs[job].reduces)) / static_cast<double>(pool.reduce_slots);
  }
  data.makespan_bound = ms(static_cast<std::int64_t>(end));
  return data;
}

void add_history(ReportData& data, const Workload& batch) {
  std::map<std::string, std::vector<Duration>> maps, reduces, first, later;
  Random random(7, "history");
  for (const Job& job : batch.jobs) {
    std::vector<Duration>& of_name = maps[job.name];
    of_name.insert(of_name.end(), job.maps.begin(), job.maps.end());
    for (const Duration reduce : job.reduces) {
      reduces[job.name].push_back(reduce * 3 / 4);
      first[job.name].push_back(ms(static_cast<std::int64_t>(random.uniform(300, 4000))));
      if (random.unit() < 0.6) later[job.name].push_back(reduce / 4);
    }
  }
  for (const auto& [name, durations] : maps) {
    JobProfile profile;
    profile.name = name;
    profile.runs = static_cast<Count>(1 + random.below(12));
    profile.failed_runs = random.unit() < 0.3 ? 1 : 0;
    profile.map = phase(durations);
    profile.first_shuffle = phase(first[name]);
    profile.shuffle = phase(later[name]);
    profile.reduce = phase(reduces[name]);
    profile.map_attempts = {profile.map.count, static_cast<Count>(random.below(4)), 0,
                            static_cast<Count>(random.below(3))};
    profile.reduce_attempts = {profile.reduce.count, 0, static_cast<Count>(random.below(2)), 0};
    data.profiles.push_back(std::move(profile));
  }
  for (const Job& job : batch.jobs) {
    const double exact = static_cast<double>(work(job.maps) + work(job.reduces)) / 16 + 4000;
    const auto share = [&](double factor) { return ms(static_cast<std::int64_t>(exact * factor)); };
    ReportPrediction row;
    row.job_id = job.id;
    row.name = job.name;
    row.measured = share(random.normal(1, 0.06));
    row.low = share(0.86);
    row.average = share(1.01);
    row.up = share(1.18);
    row.p50 = share(1.0);
    row.p95 = share(1.09);
    data.predictions.push_back(std::move(row));
  }
}

std::string html(const ReportData& data) {
  std::ostringstream out;
  write_report(out, data);
  return out.str();
}

}  // namespace wavewright::sample
