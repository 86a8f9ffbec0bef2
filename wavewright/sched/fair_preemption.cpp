#include "wavewright/sched/fair_preemption.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

std::size_t index(Kind kind) {
  return kind == Kind::map ? 0 : 1;
}

}  // namespace

void FairPreemption::queue(GroupId queue, Kind kind, const Share& share) {
  pools_[queue].sides[index(kind)].share = share;
}

void FairPreemption::joined(GroupId queue, JobIndex job, Time at) {
  Pool& pool = pools_[queue];
  if (pool.jobs.empty()) {  // a queue without jobs lacks nothing
    for (Side& side : pool.sides) side.last_at_minimum = side.last_at_half = at;
  }
  pool.jobs.push_back(job);
}

bool FairPreemption::is_over(JobIndex job, const View& view) {
  return view.pending(job, Kind::map) + view.pending(job, Kind::reduce) +
             view.held(job, Kind::map, any_class) + view.held(job, Kind::reduce, any_class) ==
         0;
}

bool FairPreemption::check(const View& view, Decisions& decisions) {
  bool some = false;
  for (auto& [id, pool] : pools_) {
    std::erase_if(pool.jobs, [&](JobIndex job) { return is_over(job, view); });
    some = some || !pool.jobs.empty();
  }
  check(Kind::map, view, decisions);
  check(Kind::reduce, view, decisions);
  return some;
}

void FairPreemption::check(Kind kind, const View& view, Decisions& decisions) {
  const Resources slots = view.capacity(any_class);
  const Count capacity = kind == Kind::map ? slots.map_slots : slots.reduce_slots;
  std::map<GroupId, Standing> standings;
  std::vector<Claim> claims;
  for (const auto& [id, pool] : pools_) {
    Standing standing;
    for (const JobIndex job : pool.jobs) {
      standing.used += view.held(job, kind, any_class);
      if (kind == Kind::map || reduces_ready_.contains(job)) standing.demand += view.pending(job, kind);
    }
    standing.demand += standing.used;
    claims.push_back({pool.sides[index(kind)].share, standing.demand});
    standings[id] = standing;
  }
  const std::vector<double> shares = fair_shares(claims, capacity);
  Count lack = 0;
  auto share = shares.begin();
  for (auto& [id, standing] : standings) {
    standing.share = *share++;
    lack += lacking(pools_[id].sides[index(kind)], standing, view.now());
  }
  take(lack, kind, pools_, standings, view, decisions);
}

// Slots that the queue has lacked for too long.
Count FairPreemption::lacking(Side& side, const Standing& standing, Time now) const {
  const Count minimum = std::min(side.share.minimum, standing.demand);
  if (standing.used >= minimum) side.last_at_minimum = now;
  if (static_cast<double>(standing.used) >=
      std::min(standing.share / 2, static_cast<double>(standing.demand)))
    side.last_at_half = now;
  Count lack = 0;
  if (now - side.last_at_minimum > options_.minimum_timeout) lack = minimum - standing.used;
  if (now - side.last_at_half > options_.share_timeout) {
    constexpr double tolerance = 1e-6;
    lack = std::max(lack, static_cast<Count>(std::floor(standing.share + tolerance)) - standing.used);
  }
  return lack;
}

// Takes one slot at a time: queue furthest above its share and minimum, there the job with most slots.
void FairPreemption::take(Count count, Kind kind, const std::map<GroupId, Pool>& pools,
                          std::map<GroupId, Standing>& standings, const View& view, Decisions& decisions) {
  std::map<JobIndex, Count> taken;
  for (; count > 0; --count) {
    const auto excess = [&](const auto& entry) {
      const auto floor = std::max(
          entry.second.share, static_cast<double>(pools.at(entry.first).sides[index(kind)].share.minimum));
      return static_cast<double>(entry.second.used) - floor;
    };
    const auto richest =
        std::max_element(standings.begin(), standings.end(),
                         [&](const auto& a, const auto& b) { return excess(a) < excess(b); });
    if (richest == standings.end() || excess(*richest) <= 0) break;
    const std::vector<JobIndex>& jobs = pools.at(richest->first).jobs;
    const auto left = [&](JobIndex job) { return view.held(job, kind, any_class) - taken[job]; };
    const auto job =
        std::max_element(jobs.begin(), jobs.end(), [&](JobIndex a, JobIndex b) { return left(a) < left(b); });
    if (job == jobs.end() || left(*job) == 0) break;
    ++taken[*job];
    --richest->second.used;
  }
  for (const auto& [job, slots] : taken) {
    if (slots > 0) decisions.preempt(job, kind, any_class, slots, {});
  }
}

}  // namespace wavewright
