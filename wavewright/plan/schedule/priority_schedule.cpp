#include "wavewright/plan/schedule/priority_schedule.h"

#include <algorithm>
#include <utility>

#include "wavewright/sim/pool/stage.h"

namespace wavewright {

namespace {

using Stage = std::variant<SlackStage<WaveSlots>, SlackStage<SlotTree>>;

Stage stage_of(StageTasks tasks, bool counts) {
  if (tasks.alike()) return SlackStage<WaveSlots>(std::move(tasks), counts);
  return SlackStage<SlotTree>(std::move(tasks), counts);
}

const StageTasks& tasks_of(const Stage& stage) {
  return std::visit([](const auto& own) -> const StageTasks& { return own.tasks(); }, stage);
}

}  // namespace

PrioritySchedule::PrioritySchedule(const Workload& batch, double slowstart)
    : early_(slowstart < 1),
      maps_(stage_of(maps_of(batch), early_)),
      reduces_(stage_of(reduces_of(batch), false)),
      ready_(batch.jobs.size()),
      map_ends_(batch.jobs.size()),
      reduce_ends_(batch.jobs.size()),
      ends_(batch.jobs.size()) {
  for (const Job& job : batch.jobs) {
    submits_.push_back(to_ms(job.submit));
    std::int64_t tail = 0;
    for (std::size_t i = 0; i < job.reduces.size(); ++i) tail = std::max(tail, to_ms(job.least_reduce(i)));
    tails_.push_back(tail);
    if (early_) {
      before_reduces_.push_back(
          sim::maps_before_reduces(static_cast<std::uint32_t>(job.maps.size()), slowstart));
    }
  }
}

const StageTasks& PrioritySchedule::maps() const {
  return tasks_of(maps_);
}
const StageTasks& PrioritySchedule::reduces() const {
  return tasks_of(reduces_);
}

PlanValue PrioritySchedule::value(const PriorityRule& rule) {
  return *value_within(rule, no_time, no_time);
}

std::optional<PlanValue> PrioritySchedule::value_within(const PriorityRule& rule, std::int64_t latest,
                                                        std::int64_t most_total) {
  const StageJobs maps{rule.maps, submits_, submits_, latest, &tails_};
  if (!schedule(maps_, maps, rule, &SlotPool::map_slots, map_ends_)) return std::nullopt;
  if (most_total != no_time) {
    std::int64_t least = 0;
    for (JobIndex job = 0; job < ends_.size(); ++job) least += map_ends_[job] + tails_[job] - submits_[job];
    if (least > most_total) return std::nullopt;
  }
  ready_ = map_ends_;
  if (early_) find_ready();
  const StageJobs reduces{rule.reduces, ready_, map_ends_, latest};
  if (!schedule(reduces_, reduces, rule, &SlotPool::reduce_slots, reduce_ends_)) return std::nullopt;
  std::int64_t last = 0, total = 0;
  for (JobIndex job = 0; job < ends_.size(); ++job) {
    ends_[job] = std::max(reduce_ends_[job], map_ends_[job]);
    last = std::max(last, ends_[job]);
    total += ends_[job] - submits_[job];
  }
  return PlanValue{ms(last), ms(total)};
}

void PrioritySchedule::keep(const PriorityRule& rule) {
  if (rule.pools.size() > 1) return;
  std::visit([&](auto& stage) { stage.keep({rule.maps, submits_, submits_}, map_ends_); }, maps_);
  std::visit([&](auto& stage) { stage.keep({rule.reduces, ready_, map_ends_}, reduce_ends_); }, reduces_);
}

bool PrioritySchedule::schedule(Stage& stage, const StageJobs& jobs, const PriorityRule& rule,
                                Count SlotPool::* slots, std::vector<std::int64_t>& ends) {
  return std::visit(
      [&](auto& own) {
        if (rule.pools.size() == 1) return own.schedule(jobs, rule.pools[0].*slots, ends);
        std::vector<std::vector<JobIndex>> by_pool(rule.pools.size());
        for (JobIndex job = 0; job < rule.jobs(); ++job) by_pool[rule.pool_of[job]].push_back(job);
        for (std::size_t pool = 0; pool < by_pool.size(); ++pool) {
          if (!own.schedule_some(jobs, by_pool[pool], rule.pools[pool].*slots, ends)) return false;
        }
        return true;
      },
      stage);
}

// The instant when enough of each job's maps have ended.
void PrioritySchedule::find_ready() {
  for (JobIndex job = 0; job < jobs(); ++job) {
    std::uint32_t wanted = before_reduces_[job];
    ready_[job] = submits_[job];
    if (wanted == 0) continue;
    auto& counted = std::visit([&](auto& stage) -> auto& { return stage.counted(job); }, maps_);
    std::sort(counted.begin(), counted.end());
    for (const auto& [end, count] : counted) {
      ready_[job] = end;
      if (wanted <= count) break;
      wanted -= count;
    }
  }
}

}  // namespace wavewright
