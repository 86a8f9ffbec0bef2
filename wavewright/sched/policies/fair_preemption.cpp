#include "wavewright/sched/policies/fair_preemption.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "wavewright/sched/policies/job_demand.h"

namespace wavewright {

void FairPreemption::queue(GroupId queue, Kind kind, const Share& share) {
  pools_[queue].clocks[kind == Kind::map ? maps_or_memory : reduces].share = share;
}

Count FairPreemption::lacks(JobIndex job, Side side, const View& view) const {
  if (!view.containers()) {
    if (side == maps_or_memory) return view.pending(job, Kind::map);
    return reduces_ready_.contains(job) ? view.pending(job, Kind::reduce) : 0;
  }
  return lacked_memory(job, reduces_ready_.contains(job), view);
}

void FairPreemption::restart(Pool& pool, Side side, const View& view) {
  const bool lacked = std::any_of(pool.jobs.begin(), pool.jobs.end(),
                                  [&](JobIndex job) { return lacks(job, side, view) > 0; });
  if (!lacked) pool.clocks[side].at_minimum = pool.clocks[side].at_half = view.now();
}

void FairPreemption::joined(GroupId queue, JobIndex job, const View& view) {
  Pool& pool = pools_[queue];
  for (const Side side : {maps_or_memory, reduces}) restart(pool, side, view);
  pool.jobs.push_back(job);
  queue_of_[job] = queue;
}

void FairPreemption::ready(JobIndex job, const View& view) {
  const auto queue = queue_of_.find(job);
  if (queue == queue_of_.end() || reduces_ready_.contains(job)) return;
  restart(pools_[queue->second], view.containers() ? maps_or_memory : reduces, view);
  reduces_ready_.insert(job);
}

std::optional<Time> FairPreemption::check(const View& view, Decisions& decisions) {
  bool some = false;
  for (auto& [id, pool] : pools_) {
    std::erase_if(pool.jobs, [&](JobIndex job) {
      if (!is_over(job, view)) return false;
      reduces_ready_.erase(job);
      queue_of_.erase(job);
      return true;
    });
    some = some || !pool.jobs.empty();
  }
  Time next = view.now() + options_.check;
  check(maps_or_memory, view, decisions, next);
  if (!view.containers()) check(reduces, view, decisions, next);
  return some ? std::optional(next) : std::nullopt;
}

void FairPreemption::check(Side side, const View& view, Decisions& decisions, Time& next) {
  const Resources all = view.capacity(any_class);
  std::map<GroupId, Standing> standings;
  std::vector<Claim> claims;
  for (const auto& [id, pool] : pools_) {
    const Resources used = view.used(id);
    Standing standing;
    standing.used = standing.demand = side == maps_or_memory ? used.map_slots : used.reduce_slots;
    for (const JobIndex job : pool.jobs) standing.demand += lacks(job, side, view);
    claims.push_back({pool.clocks[side].share, standing.demand});
    standings[id] = standing;
  }
  const std::vector<double> shares =
      fair_shares(claims, side == maps_or_memory ? all.map_slots : all.reduce_slots);
  Count lack = 0;
  auto share = shares.begin();
  for (auto& [id, standing] : standings) {
    standing.share = *share++;
    lack += overdue(pools_[id].clocks[side], standing, view, next);
  }
  if (lack > 0) take(lack, side, std::move(standings), view, decisions);
}

Count FairPreemption::overdue(Clocks& clocks, const Standing& standing, const View& view, Time& next) const {
  const Time now = view.now();
  const Count minimum = std::min(clocks.share.minimum, standing.demand);
  const double half = std::min(standing.share / 2, static_cast<double>(standing.demand));
  if (standing.used >= minimum) clocks.at_minimum = now;
  if (static_cast<double>(standing.used) >= half) clocks.at_half = now;
  Count lack = 0;
  const auto over = [&](Time last, std::optional<Duration> timeout) {
    if (!timeout || last == now) return false;
    const Time due = std::max(last + *timeout, clocks.not_before);
    if (due > now) next = std::min(next, due);
    return due <= now;
  };
  if (over(clocks.at_minimum, options_.minimum_timeout)) lack = minimum - standing.used;
  if (over(clocks.at_half, options_.share_timeout)) {
    constexpr double tolerance = 1e-6;
    const double due = view.containers() ? half : standing.share;
    lack = std::max(lack, static_cast<Count>(std::floor(due + tolerance)) - standing.used);
  }
  if (clocks.at_minimum == now && clocks.at_half == now) clocks.used_before.reset();
  if (lack > 0 && (view.containers() || options_.grace > Duration{})) {
    constexpr int most_doublings = 40;
    const bool in_vain = clocks.used_before && standing.used <= *clocks.used_before;
    clocks.in_vain = in_vain ? std::min(clocks.in_vain + 1, most_doublings) : 0;
    clocks.used_before = standing.used;
    clocks.not_before = now + options_.grace + (std::int64_t{1} << clocks.in_vain) * options_.check;
  }
  return lack;
}

// One attempt at a time: from the queue furthest above its share and minimum, there from the job that holds
// most.
void FairPreemption::take(Count lack, Side side, std::map<GroupId, Standing> standings, const View& view,
                          Decisions& decisions) const {
  const bool containers = view.containers();
  std::map<std::pair<JobIndex, Kind>, Count> taken;
  const auto left = [&](JobIndex job, Kind kind) {
    const auto gone = taken.find({job, kind});
    return view.held(job, kind, any_class) - (gone == taken.end() ? 0 : gone->second);
  };
  const Kind of_slots = side == maps_or_memory ? Kind::map : Kind::reduce;
  const auto amount = [&](JobIndex job) {
    if (!containers) return left(job, of_slots);
    return left(job, Kind::map) * view.size(job, Kind::map) +
           left(job, Kind::reduce) * view.size(job, Kind::reduce);
  };
  const auto excess = [&](const auto& entry) {
    const auto minimum = static_cast<double>(pools_.at(entry.first).clocks[side].share.minimum);
    return static_cast<double>(entry.second.used) - std::max(entry.second.share, minimum);
  };
  while (lack > 0) {
    const auto richest =
        std::max_element(standings.begin(), standings.end(),
                         [&](const auto& a, const auto& b) { return excess(a) < excess(b); });
    if (richest == standings.end() || excess(*richest) <= 0) break;
    const std::vector<JobIndex>& jobs = pools_.at(richest->first).jobs;
    const auto job = std::max_element(jobs.begin(), jobs.end(),
                                      [&](JobIndex a, JobIndex b) { return amount(a) < amount(b); });
    if (job == jobs.end() || amount(*job) == 0) break;
    const Kind of_containers = left(*job, Kind::reduce) > 0 ? Kind::reduce : Kind::map;
    const Kind kind = containers ? of_containers : of_slots;
    const Count size = view.size(*job, kind);
    if (containers && excess(*richest) < static_cast<double>(size)) {
      standings.erase(richest);  // it would fall below its share
      continue;
    }
    ++taken[{*job, kind}];
    richest->second.used -= size;
    lack -= size;
  }
  for (const auto& [what, count] : taken)
    decisions.preempt(what.first, what.second, any_class, count, options_.grace);
}

}  // namespace wavewright
