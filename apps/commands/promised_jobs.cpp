#include "apps/commands/promised_jobs.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "apps/commands/job_predictor.h"
#include "wavewright/core/error.h"
#include "wavewright/store/phases.h"

namespace wavewright::app {

namespace {

// Type 7, as PhaseProfile::quantile.
Duration quantile(std::vector<Duration> lengths, double share) {
  if (lengths.empty()) return {};
  PhaseProfile phase;
  std::sort(lengths.begin(), lengths.end());
  phase.count = static_cast<Count>(lengths.size());
  phase.sample = std::move(lengths);
  return share >= 1 ? phase.sample.back() : phase.quantile(share);
}

Duration quantile(const PhaseProfile& phase, double share) {
  return share >= 1 ? phase.max : phase.quantile(share);
}

TaskBounds listed_bounds(const Job& job, double share) {
  std::vector<Duration> reduces = job.reduces;
  for (std::size_t i = 0; i < reduces.size(); ++i) {
    const Duration first = i < job.first_shuffles.size() ? job.first_shuffles[i] : Duration{};
    reduces[i] += std::max(first, i < job.shuffles.size() ? job.shuffles[i] : Duration{});
  }
  return {static_cast<Count>(job.maps.size()), static_cast<Count>(job.reduces.size()),
          quantile(job.maps, share), quantile(std::move(reduces), share)};
}

constexpr Duration step_of_driver = ms(1'000), first_command = ms(15'000);

// From the start of a command until YARN has its job: the slowest that was seen.
Duration slowest_command(const LiveBatch& batch) {
  std::optional<Duration> slowest;
  for (const LiveJob& job : batch.jobs) {
    if (!job.submitting_since || !job.accepted_at) continue;
    const Duration took = std::max(*job.accepted_at - *job.submitting_since, step_of_driver);
    slowest = std::max(slowest.value_or(took), took);
  }
  return slowest.value_or(first_command);
}

Duration start_of_master(const Cluster& cluster) {
  return (cluster.masters.start > Duration{} ? cluster.masters.start : ms(20'000)) + cluster.mode.launch;
}

// An offer moves on with the time until it is taken, and is read in whole seconds.
Time time_to_ask(Time earliest) {
  constexpr std::int64_t second = 1'000, seconds_to_ask = 5;
  return at_ms(((to_ms(earliest) + second - 1) / second + seconds_to_ask) * second);
}

}  // namespace

double parse_confidence(const std::string& text) {
  if (text == "max") return 1;
  int percent = 0;
  const char* end = text.data() + text.size();
  if (text.size() >= 2 && text.front() == 'p' && text[1] != '0') {
    const auto [read, error] = std::from_chars(text.data() + 1, end, percent);
    if (error == std::errc{} && read == end && percent >= 1 && percent <= 99) return percent / 100.0;
  }
  throw UsageError(fmt::format("confidence '{}' is none", text),
                   "give max, or a percentile from p1 to p99, as p90");
}

std::optional<TaskBounds> task_bounds(const Store& store, const Job& job, double share) {
  if (job.maps.empty() && job.reduces.empty()) return std::nullopt;
  TaskBounds bounds = listed_bounds(job, share);
  if (job.profile.empty()) return bounds;
  try {
    const std::string name = store.known_name(job.profile);
    RunQuestion question;
    question.size.input = job.input;
    const RunChoice choice = job_predictor(store, name, load_phases(store, name), {}).choose(question);
    if (choice.runs.empty()) return bounds;
    const JobProfile profile = scaled_profile(name, choice.runs, question.size).profile;
    bounds.map = std::max(bounds.map, quantile(profile.map, share));
    bounds.reduce = std::max(
        bounds.reduce, quantile(profile.reduce, share) + std::max(quantile(profile.first_shuffle, share),
                                                                  quantile(profile.shuffle, share)));
  } catch (const UsageError&) {  // the store has no such job: its line lists the tasks
  }
  return bounds;
}

PromiseRules promise_rules(const Cluster& cluster, const LiveBatch& batch) {
  if (cluster.mode.kind != ClusterMode::Kind::slots)
    throw UsageError("deadlines are promised on map and reduce slots, and the cluster file gives containers",
                     "write how many maps and reduces each node runs at once, as docs/use/real-time.md says");
  Cluster live = cluster;
  live.mode.heartbeat = std::max(live.mode.heartbeat, ms(1'000));
  PromiseRules rules{cluster.total_slots(), assignment_delays(live),
                     slowest_command(batch) + step_of_driver + start_of_master(cluster)};
  const auto promised = std::count_if(batch.jobs.begin(), batch.jobs.end(), [](const LiveJob& job) {
    return job.promise && !has_ended(job.state);
  });
  const Duration old = ms(5'000 + 100 * std::max<std::int64_t>(20, promised + 1));
  const Duration asks = cluster.masters.heartbeat;
  rules.delays.setup = {};
  rules.delays.first += 2 * asks;
  rules.delays.ready = 2 * asks;  // a master decides on reduces at one heartbeat and asks at the next
  rules.delays.map += asks + old;
  rules.delays.reduce += asks + old;
  return rules;
}

Time tasks_from(const Cluster& cluster, const LiveBatch& batch, Time now) {
  Duration slowest = slowest_command(batch);
  std::int64_t before = 1;
  for (const LiveJob& job : batch.jobs) {
    const bool waits = job.state == LiveState::waiting || job.state == LiveState::held;
    const bool on_its_way = job.state == LiveState::submitting;
    if (on_its_way || (job.promise && waits)) ++before;
    if (on_its_way && job.submitting_since) slowest = std::max(slowest, now - *job.submitting_since);
  }
  return now + before * (slowest + step_of_driver) + start_of_master(cluster);
}

void promise_all(LiveBatch batch, const SeenCluster& seen, const Cluster& cluster,
                 const std::string& confidence, std::vector<LiveJob>& jobs, Time now) {
  std::vector<PromiseRefusal> refusals;
  PromiseRules rules = promise_rules(cluster, batch);
  rules.slots = seen.slots;
  for (LiveJob& job : jobs) {
    job.promise = DeadlinePromise{tasks_from(cluster, batch, now), {}, confidence};
    if (auto refusal = ask_for_promise(batch, seen.progress, rules, job, now)) {
      if (refusal->earliest_deadline) refusal->earliest_deadline = time_to_ask(*refusal->earliest_deadline);
      refusals.push_back(std::move(*refusal));
    } else {
      batch.jobs.push_back(job);
    }
  }
  if (!refusals.empty()) throw NotPromised(std::move(refusals));
}

}  // namespace wavewright::app
