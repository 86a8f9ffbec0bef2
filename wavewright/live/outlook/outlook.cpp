#include "wavewright/live/outlook/outlook.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/live/outlook/continuation.h"
#include "wavewright/predict/percentiles.h"
#include "wavewright/predict/single_job.h"
#include "wavewright/sched/policy_spec.h"
#include "wavewright/sim/simulate_cluster.h"

namespace wavewright {

namespace {

constexpr Count most_draws = 4'000'000;  // tasks over all replications

std::vector<SeenLength> ratios(const StageProgress& stage, double expected_ms, double expected_later_ms) {
  std::vector<SeenLength> seen;
  for (const SeenTask& task : stage.tasks) {
    const double expected = task.later ? expected_later_ms : expected_ms;
    const auto length = static_cast<double>(std::max<std::int64_t>(1, task.length.count()));
    if (expected > 0) seen.push_back({std::log(length / expected), task.done});
  }
  return seen;
}

// Times of one job in all continuations, in ms since now.
struct Sample {
  std::vector<double> starts, maps_done, ends;
};

std::optional<Forecast> forecast(std::vector<double>& times, Time now) {
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) { return now + ms(std::llround(quantile_of(times, share))); };
  return Forecast{at(0.05), at(0.5), at(0.95)};
}

class Continuations {
 public:
  Continuations(const LiveBatch& batch, const KnownJobs& known, const OutlookOptions& how, Time now)
      : batch_(batch), known_(known), how_(how), now_(now) {
    for (const LiveJob& job : batch.jobs) by_id_[job.id] = &job;
    choose();
  }

  Outlook run() {
    Outlook outlook;
    outlook.at = now_;
    const bool together = how_.cluster && run_together();
    if (!together) run_alone_each();
    outlook.model = fmt::format("{} continuations {}; task lengths from profiles and from the tasks so far",
                                replications(),
                                together ? "on the cluster under " + how_.policy
                                         : "of each running job alone, on the slots it holds");
    for (std::size_t i = 0; i < jobs_.size(); ++i) outlook.jobs[jobs_[i]->id] = outlook_of(i);
    return outlook;
  }

 private:
  [[nodiscard]] const KnownJob* known_of(const std::string& id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  // The jobs whose ends can be told: those that have begun by their acceptance, then those that wait in their
  // order, without those behind a job whose end cannot.
  void choose() {
    std::vector<const LiveJob*> begun, waiting;
    for (const LiveJob& job : batch_.jobs) {
      const KnownJob* known = known_of(job.id);
      if (known == nullptr || !has_tasks(job, *known)) continue;
      if (has_begun(job.state)) begun.push_back(&job);
      if (job.state == LiveState::waiting) waiting.push_back(&job);
    }
    std::stable_sort(begun.begin(), begun.end(), [](const LiveJob* a, const LiveJob* b) {
      return a->accepted_at.value_or(Time::max()) < b->accepted_at.value_or(Time::max());
    });
    if (batch_.has_queue()) waiting = in_engine_order(waiting);
    if (waiting.size() > how_.most_waiting) waiting.resize(how_.most_waiting);
    jobs_ = std::move(begun);
    begun_ = jobs_.size();
    jobs_.insert(jobs_.end(), waiting.begin(), waiting.end());
    for (bool more = true; more;) {
      std::unordered_set<std::string> there;
      for (const LiveJob* job : jobs_) there.insert(job->id);
      more = std::erase_if(jobs_, [&](const LiveJob* job) {
               return !has_begun(job->state) &&
                      std::any_of(job->after.begin(), job->after.end(), [&](const std::string& id) {
                        const auto before = by_id_.find(id);
                        const bool done = before == by_id_.end() || before->second->state == LiveState::done;
                        return !done && !there.contains(id);
                      });
             }) > 0;
    }
  }

  [[nodiscard]] std::vector<const LiveJob*> in_engine_order(
      const std::vector<const LiveJob*>& waiting) const {
    std::vector<WaitingJob> jobs;
    jobs.reserve(waiting.size());
    for (const LiveJob* job : waiting) jobs.push_back(waiting_job(*job, now_, Time{}));
    OrderingEngine engine = engine_of(*batch_.ordering);
    engine.mode = OrderingMode::alg;  // quick; a planner is, and foretells its own order
    std::vector<const LiveJob*> ordered;
    for (const JobIndex each : order_by_engine(engine, jobs, Time{}).order) ordered.push_back(waiting[each]);
    return ordered;
  }

  [[nodiscard]] Count replications() const {
    Count tasks = 1;
    for (const LiveJob* job : jobs_) {
      const auto [maps, reduces] = tasks_of(*job, known_.at(job->id));
      tasks += maps + 3 * reduces;
    }
    return std::clamp<Count>(most_draws / tasks, std::min<Count>(20, how_.replications), how_.replications);
  }

  // From a job's submission to its first task on the empty cluster.
  [[nodiscard]] Duration master_start(const Cluster& cluster) const {
    Workload one;
    one.jobs.emplace_back();
    one.jobs[0].id = "one";
    one.jobs[0].maps = {ms(1)};
    if (!jobs_.empty()) {
      one.jobs[0].queue = queue_of(*jobs_[0]);
      one.jobs[0].memory = jobs_[0]->memory;
    }
    const SimulationResult alone = simulated(one, cluster, 1);
    return alone.jobs[0].has_finished() ? alone.jobs[0].start - Time{} : Duration{};
  }

  [[nodiscard]] SimulationResult simulated(const Workload& workload, const Cluster& cluster,
                                           std::uint64_t seed) const {
    Policy policy = make_policy_on(how_.policy, cluster);
    ClusterOptions options;
    options.cluster = cluster;
    options.seed = seed;
    options.keep_stuck = true;
    options.stop = how_.stop;
    SimulationResult result = simulate_on(workload, policy, options);
    throw_if(how_.stop);
    return result;
  }

  // The mean time from the start of a command until YARN has the job.
  [[nodiscard]] Duration pace() const {
    std::int64_t sum = 0, count = 0;
    for (const LiveJob& job : batch_.jobs) {
      if (!job.submitting_since || !job.accepted_at || *job.accepted_at < *job.submitting_since) continue;
      sum += std::min<std::int64_t>(60'000, (*job.accepted_at - *job.submitting_since).count());
      ++count;
    }
    return count == 0 ? Duration{} : ms(sum / count);
  }

  // YARN runs the jobs: the sizes of those that tell none are at most what it allows.
  [[nodiscard]] static Cluster with_containers_that_fit(Cluster cluster) {
    Bytes most{};
    for (const NodeGroup& group : cluster.nodes) most = std::max(most, group.memory);
    if (cluster.limits.max_memory) most = std::min(most, *cluster.limits.max_memory);
    for (ContainerRequest* each :
         {&cluster.containers.master, &cluster.containers.map, &cluster.containers.reduce})
      each->memory = std::min(each->memory, most);
    return cluster;
  }

  bool run_together() try {
    Cluster cluster = with_containers_that_fit(with_measured_starts(*how_.cluster, known_));
    // A simulation submits jobs that run at its beginning, and their clients have done their work.
    if (begun_ > 0) cluster.launches.submit_work = {};
    const Duration head_start = master_start(cluster), submission = pace();
    const Duration launch = cluster.mode.launch;
    samples_.assign(jobs_.size(), {});
    for (Count r = 0; r < replications(); ++r) {
      Random random(how_.seed, "outlook", static_cast<std::uint64_t>(r));
      Workload workload;
      for (std::size_t i = 0; i < jobs_.size(); ++i)
        workload.jobs.push_back(job_of(i, head_start, submission, launch, random));
      const SimulationResult result = simulated(workload, cluster, how_.seed + static_cast<std::uint64_t>(r));
      for (std::size_t i = 0; i < jobs_.size(); ++i) {
        const JobOutcome& job = result.jobs[i];
        if (job.has_finished() && !job.failed)
          add(i, job.start - Time{} - head_start, job.maps_done - Time{} - head_start,
              job.finish - Time{} - head_start);
      }
    }
    return true;
  } catch (const Infeasible&) {  // a job that can never be placed
    return false;
  }

  [[nodiscard]] Job job_of(std::size_t i, Duration head_start, Duration submission, Duration launch,
                           Random& random) const {
    const LiveJob& live = *jobs_[i];
    Job job = rest_of(live, known_.at(live.id), launch, random);
    job.id = live.id;
    job.queue = queue_of(live);
    job.user = live.account;
    job.memory = live.memory;
    if (live.state != LiveState::running) job.submit = Time{} + head_start;
    if (i >= begun_) {
      job.submit += std::max(live.not_before - now_, Duration{});
      job.submit += submission * static_cast<std::int64_t>(i - begun_ + 1);
    }
    for (const std::string& id : live.after) {
      const auto before = by_id_.find(id);
      if (before != by_id_.end() && !has_ended(before->second->state)) job.after.push_back(id);
    }
    if (how_.most_at_once > 0 && i >= begun_ && i >= how_.most_at_once) {
      const std::string& before = jobs_[i - how_.most_at_once]->id;
      if (std::find(job.after.begin(), job.after.end(), before) == job.after.end())
        job.after.push_back(before);
    }
    return job;
  }

  void run_alone_each() {
    samples_.assign(jobs_.size(), {});
    for (std::size_t i = 0; i < begun_; ++i) {
      const LiveJob& live = *jobs_[i];
      const KnownJob& known = known_.at(live.id);
      if (live.state != LiveState::running || !known.progress) continue;
      const Count all_reduces = std::max<Count>(1, known.progress->reduces.total);
      const Count reduces = known.progress->reduces.running;
      const SlotPool slots{std::max<Count>(1, known.progress->maps.running),
                           reduces > 0 ? reduces : all_reduces};
      for (Count r = 0; r < replications(); ++r) {
        Random random(how_.seed, "outlook", static_cast<std::uint64_t>(r));
        const Job job = rest_of(live, known, {}, random);
        SingleJob single;
        single.maps = job.maps;
        single.reduces = job.reduces;
        single.first_shuffles = job.first_shuffles;
        single.later_shuffles = job.shuffles;
        const SingleJobTimes times = run_alone(single, slots);
        add(i, {}, times.maps_done, times.finish + known.lengths->commit);
      }
    }
  }

  void add(std::size_t i, Duration start, Duration maps_done, Duration end) {
    const LiveJob& live = *jobs_[i];
    const KnownJob& known = known_.at(live.id);
    // Without progress the whole job was simulated, and it has run for some time already.
    Duration past{};
    if (live.state == LiveState::running && live.started_at && (!known.progress || live.many_applications))
      past = std::max(now_ - *live.started_at, Duration{});
    const auto told = [&](Duration at) {
      return static_cast<double>(std::max(at - past, Duration{}).count());
    };
    samples_[i].starts.push_back(told(start));
    samples_[i].maps_done.push_back(told(maps_done));
    samples_[i].ends.push_back(told(end));
  }

  JobOutlook outlook_of(std::size_t i) {
    const LiveJob& live = *jobs_[i];
    const KnownJob& known = known_.at(live.id);
    Sample& sample = samples_[i];
    JobOutlook outlook;
    if (live.state != LiveState::running) outlook.start = forecast(sample.starts, now_);
    const bool has_maps =
        known.progress ? known.progress->maps.done < known.progress->maps.total : live.maps.tasks > 0;
    if (has_maps) outlook.maps_done = forecast(sample.maps_done, now_);
    if (live.deadline && !sample.ends.empty()) {
      const auto left = static_cast<double>((*live.deadline - now_).count());
      const auto met =
          std::count_if(sample.ends.begin(), sample.ends.end(), [&](double end) { return end <= left; });
      outlook.on_time = static_cast<double>(met) / static_cast<double>(sample.ends.size());
    }
    outlook.end = forecast(sample.ends, now_);
    return outlook;
  }

  const LiveBatch& batch_;
  const KnownJobs& known_;
  const OutlookOptions& how_;
  Time now_;
  std::unordered_map<std::string, const LiveJob*> by_id_;
  std::vector<const LiveJob*> jobs_;  // begun ones first
  std::size_t begun_ = 0;
  std::vector<Sample> samples_;
};

void add_factors(const LiveJob& job, const KnownJob& known, JobOutlook& outlook) {
  outlook.progress = known.progress;
  if (known.maps.done > 0) outlook.map_factor = job.map_drift.value_or(1) * std::exp(known.maps.shift);
  if (known.reduces.done > 0)
    outlook.reduce_factor = job.reduce_drift.value_or(1) * std::exp(known.reduces.shift);
}

}  // namespace

const JobOutlook* Outlook::of(const std::string& id) const {
  const auto found = jobs.find(id);
  return found == jobs.end() ? nullptr : &found->second;
}

const TrackRecord* Outlook::record_of(const LiveJob& job) const {
  const auto found = records.find(job.profile);
  return found == records.end() ? nullptr : &found->second;
}

KnownJob known_job(const LiveJob& job, std::shared_ptr<const LengthModel> lengths,
                   std::optional<JobProgress> progress) {
  KnownJob known{std::move(lengths), std::move(progress), {}, {}};
  if (!known.lengths || !known.progress) return known;
  const LengthModel& model = *known.lengths;
  const double maps = job.map_drift.value_or(1), reduces = job.reduce_drift.value_or(1);
  known.maps = update_lengths(
      ratios(known.progress->maps, maps * model.mean_map_ms(), maps * model.mean_map_ms()), model.maps);
  if (known.progress->maps.done == known.progress->maps.total) {
    known.reduces = update_lengths(ratios(known.progress->reduces, reduces * model.mean_reduce_ms(false),
                                          reduces * model.mean_reduce_ms(true)),
                                   model.reduces);
  }
  return known;
}

Cluster with_measured_starts(Cluster cluster, const KnownJobs& known) {
  const bool told = cluster.masters.start > Duration{} || cluster.mode.launch > Duration{} ||
                    cluster.launches.work > Duration{};
  if (told) return cluster;
  std::vector<Duration> starts, commits, waits;
  for (const auto& [id, job] : known) {
    if (!job.lengths || job.lengths->runs == 0) continue;
    starts.push_back(job.lengths->startup);
    commits.push_back(job.lengths->commit);
    waits.push_back(job.lengths->wait);
  }
  const auto median = [](std::vector<Duration>& values) {
    if (values.empty()) return Duration{};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  cluster.mode.launch = median(waits);
  cluster.masters.start = std::max(median(starts) - cluster.mode.launch, Duration{});
  cluster.masters.finish = median(commits);
  return cluster;
}

Outlook look_ahead(const LiveBatch& batch, const KnownJobs& known, const OutlookOptions& how, Time now) {
  Outlook outlook = Continuations(batch, known, how, now).run();
  for (const LiveJob& job : batch.jobs) {
    const auto found = known.find(job.id);
    if (found == known.end() || has_ended(job.state)) continue;
    const bool told = found->second.progress || found->second.maps.done > 0;
    if (told || outlook.jobs.contains(job.id)) add_factors(job, found->second, outlook.jobs[job.id]);
  }
  return outlook;
}

}  // namespace wavewright
