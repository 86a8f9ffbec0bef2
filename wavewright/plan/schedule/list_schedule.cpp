#include "wavewright/plan/schedule/list_schedule.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "wavewright/job/precedence.h"
#include "wavewright/sim/kernel/number_set.h"

namespace wavewright {

namespace {

constexpr std::size_t most_kept = 64;  // states of the schedule of maps from which another can continue

}  // namespace

bool ListSchedule::models(const Workload& batch, SlotCluster cluster) {
  return cluster.slowstart == 1 && !has_precedence(batch) && are_two_stages(batch, cluster.pool);
}

ListSchedule::ListSchedule(const Workload& batch, SlotPool pool)
    : maps_(maps_of(batch)), reduces_(reduces_of(batch)), map_tree_(0), reduce_tree_(0) {
  for (const Job& job : batch.jobs) submits_.push_back(to_ms(job.submit));
  pool_ = {used_slots(pool.map_slots, maps_.tasks), used_slots(pool.reduce_slots, reduces_.tasks)};
  if (!maps_.alike()) map_tree_ = SlotTree(static_cast<std::uint32_t>(pool_.map_slots));
  if (!reduces_.alike()) reduce_tree_ = SlotTree(static_cast<std::uint32_t>(pool_.reduce_slots));
  map_ends_.resize(submits_.size());
  ends_.resize(submits_.size());
  cursors_.resize(submits_.size());
  by_ready_.resize(submits_.size());
  together_ = std::adjacent_find(submits_.begin(), submits_.end(), std::not_equal_to<>()) == submits_.end();
  stride_ = submits_.size() / most_kept + 1;
}

PlanValue ListSchedule::value(std::span<const JobIndex> maps, std::span<const JobIndex> reduces) {
  schedule_maps(maps);
  return schedule_reduces(reduces);
}

void ListSchedule::schedule_maps(std::span<const JobIndex> order) {
  if (!together_) return schedule(maps_, map_tree_, pool_.map_slots, order, submits_, map_ends_);
  if (maps_.alike()) {
    if (waves_at_.empty()) waves_at_.emplace_back().reset(static_cast<std::uint32_t>(pool_.map_slots));
    continue_maps(waves_at_, waves_, order);
  } else {
    if (trees_at_.empty()) trees_at_.emplace_back(static_cast<std::uint32_t>(pool_.map_slots)).reset();
    continue_maps(trees_at_, map_tree_, order);
  }
}

// Jobs submitted together are served one after the other.
template <class Slots>
void ListSchedule::continue_maps(std::vector<Slots>& kept, Slots& slots, std::span<const JobIndex> order) {
  const auto differs = std::mismatch(last_maps_.begin(), last_maps_.end(), order.begin(), order.end()).first;
  const auto same = static_cast<std::size_t>(differs - last_maps_.begin());
  if (same == order.size()) return;
  const std::size_t from = std::min(same / stride_, kept_ - 1);
  slots.take(kept[from]);
  kept_ = from + 1;
  for (std::size_t position = from * stride_; position < order.size(); ++position) {
    if (position > from * stride_ && position % stride_ == 0) {
      if (kept_ == kept.size()) kept.push_back(slots);
      kept[kept_++].take(slots);
    }
    const JobIndex job = order[position];
    std::int64_t last = submits_[job];
    for (const StageTasks::Run& run : maps_.of(job)) {
      for (std::uint32_t left = run.count; left > 0;) {
        const std::int64_t end = std::max(slots.first(), submits_[job]) + run.later;
        last = std::max(last, end);
        left -= slots.give(left, end);
      }
    }
    map_ends_[job] = last;
  }
  last_maps_.assign(order.begin(), order.end());
}

PlanValue ListSchedule::value_of_reduces(std::span<const JobIndex> reduces,
                                         std::span<const std::int64_t> map_ends) {
  map_ends_.assign(map_ends.begin(), map_ends.end());
  last_maps_.clear();  // map_ends_ no longer belongs to it
  return schedule_reduces(reduces);
}

void ListSchedule::schedule(const StageTasks& stage, SlotTree& tree, Count slots,
                            std::span<const JobIndex> order, std::span<const std::int64_t> ready,
                            std::vector<std::int64_t>& ends) {
  if (stage.alike()) {
    waves_.reset(static_cast<std::uint32_t>(slots));
    give_out(stage, waves_, order, ready, ends);
  } else {
    tree.reset();
    give_out(stage, tree, order, ready, ends);
  }
}

PlanValue ListSchedule::schedule_reduces(std::span<const JobIndex> reduces) {
  schedule(reduces_, reduce_tree_, pool_.reduce_slots, reduces, map_ends_, ends_);
  std::int64_t last = 0, total = 0;
  for (JobIndex job = 0; job < ends_.size(); ++job) {
    last = std::max(last, ends_[job]);
    total += ends_[job] - submits_[job];
  }
  return {ms(last), ms(total)};
}

template <class Slots>
void ListSchedule::give_out(const StageTasks& stage, Slots& slots, std::span<const JobIndex> order,
                            std::span<const std::int64_t> ready, std::vector<std::int64_t>& ends) {
  // Jobs with tasks, by ready time.
  std::size_t waiting = 0;
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    const JobIndex job = order[position];
    ends[job] = ready[job];
    if (stage.none(job)) continue;
    cursors_[job] = {stage.runs_from[job], stage.runs[stage.runs_from[job]].count};
    by_ready_[waiting++] = position;
  }
  const auto sooner = [&](std::uint32_t a, std::uint32_t b) { return ready[order[a]] < ready[order[b]]; };
  const std::span<std::uint32_t> queue(by_ready_.data(), waiting);
  if (!std::is_sorted(queue.begin(), queue.end(), sooner))
    std::stable_sort(queue.begin(), queue.end(), sooner);

  sim::NumberSet there(static_cast<std::uint32_t>(order.size()), false);  // positions of jobs that are ready
  std::size_t next = 0;
  std::int64_t clock = 0;
  const auto ready_at = [&](std::size_t at) { return at < waiting ? ready[order[queue[at]]] : no_time; };
  std::int64_t next_ready = ready_at(0);
  while (next < waiting || !there.empty()) {
    if (there.empty()) clock = std::max(clock, next_ready);
    clock = std::max(clock, slots.first());
    for (; next_ready <= clock; next_ready = ready_at(++next)) there.insert(queue[next]);
    const std::uint32_t position = there.lowest();
    const JobIndex job = order[position];
    Cursor& cursor = cursors_[job];
    const std::uint32_t end_of_runs = stage.runs_from[job + 1];
    std::int64_t last = ends[job];
    // Place its tasks until another job becomes ready, which may go first.
    for (;;) {
      const StageTasks::Run& run = stage.runs[cursor.run];
      const std::int64_t end = clock + (clock == ready[job] ? run.first : run.later);
      last = std::max(last, end);
      cursor.left -= slots.give(cursor.left, end);
      if (cursor.left == 0) {
        if (++cursor.run == end_of_runs) {
          there.erase(position);
          break;
        }
        cursor.left = stage.runs[cursor.run].count;
      }
      clock = std::max(clock, slots.first());
      if (next_ready <= clock) break;
    }
    ends[job] = last;
  }
}

}  // namespace wavewright
