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

Value PrioritySchedule::value(const PriorityRule& rule) {
  schedule(maps_, {rule.maps, submits_, submits_}, rule, &SlotPool::map_slots, map_ends_);
  ready_ = map_ends_;
  if (early_) find_ready();
  schedule(reduces_, {rule.reduces, ready_, map_ends_}, rule, &SlotPool::reduce_slots, reduce_ends_);
  std::int64_t last = 0, total = 0;
  for (JobIndex job = 0; job < ends_.size(); ++job) {
    ends_[job] = std::max(reduce_ends_[job], map_ends_[job]);
    last = std::max(last, ends_[job]);
    total += ends_[job] - submits_[job];
  }
  return {ms(last), ms(total)};
}

void PrioritySchedule::keep(const PriorityRule& rule) {
  if (rule.pools.size() > 1) return;
  std::visit([&](auto& stage) { stage.keep({rule.maps, submits_, submits_}, map_ends_); }, maps_);
  std::visit([&](auto& stage) { stage.keep({rule.reduces, ready_, map_ends_}, reduce_ends_); }, reduces_);
}

void PrioritySchedule::schedule(Stage& stage, const StageJobs& jobs, const PriorityRule& rule,
                                Count SlotPool::* slots, std::vector<std::int64_t>& ends) {
  std::visit(
      [&](auto& own) {
        if (rule.pools.size() == 1) return own.schedule(jobs, rule.pools[0].*slots, ends);
        std::vector<std::vector<JobIndex>> by_pool(rule.pools.size());
        for (JobIndex job = 0; job < rule.jobs(); ++job) by_pool[rule.pool_of[job]].push_back(job);
        for (std::size_t pool = 0; pool < by_pool.size(); ++pool)
          own.schedule_some(jobs, by_pool[pool], rule.pools[pool].*slots, ends);
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
