#include "wavewright/plan/schedule/priority_rule.h"

#include <algorithm>

#include "wavewright/plan/job_ids.h"

namespace wavewright {

namespace {

// Distance of due times that gives a plain order: above every task length.
std::int64_t apart(const StageTasks& stage) {
  std::int64_t longest = 0;
  for (const StageTasks::Run& run : stage.runs) longest = std::max({longest, run.first, run.later});
  return longest + 1;
}

PriorityRule::Stage in_order(const StageTasks& stage, std::span<const JobIndex> order) {
  PriorityRule::Stage ranks{std::vector<std::int64_t>(order.size()),
                            std::vector<std::uint32_t>(order.size(), PriorityRule::uncapped),
                            std::vector<PriorityRule::Stage::Steps>(order.size())};
  const std::int64_t by = apart(stage);
  std::int64_t due = 0;
  for (const JobIndex job : order) ranks.due[job] = due += by;
  return ranks;
}

// A turn: the tasks that a job starts before another job's turn.
struct Part {
  std::int64_t slack = 0;
  JobIndex job = 0;
  Count tasks = 0;
};

std::vector<Part> parts_of(const StageTasks& stage, const PriorityRule::Stage& ranks) {
  const std::vector<std::int64_t> left = longest_left(stage);
  std::vector<Part> parts;
  for (JobIndex job = 0; job < ranks.due.size(); ++job) {
    std::uint32_t tasks = stage.tasks_of(job);
    for (std::uint32_t run = stage.runs_from[job]; run < stage.runs_from[job + 1]; ++run) {
      for (std::uint32_t of_run = stage.runs[run].count; of_run > 0;) {
        const std::uint32_t next = std::min(of_run, ranks.of_step(job, tasks));
        parts.push_back({ranks.slack(job, tasks, left[run]), job, next});
        of_run -= next;
        tasks -= next;
      }
    }
    if (stage.none(job)) parts.push_back({ranks.due[job], job, 0});
  }
  // Jobs of equal slack in the order of the batch.
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.slack < b.slack; });
  std::vector<Part> joined;
  for (const Part& part : parts) {
    if (!joined.empty() && joined.back().job == part.job) {
      joined.back().tasks += part.tasks;
    } else {
      joined.push_back(part);
    }
  }
  return joined;
}

std::vector<std::string> first_turns(const std::vector<Part>& parts, const Workload& batch) {
  std::vector<bool> seen(batch.jobs.size());
  std::vector<std::string> ids;
  for (const Part& part : parts) {
    if (!seen[part.job]) ids.push_back(batch.jobs[part.job].id);
    seen[part.job] = true;
  }
  return ids;
}

std::vector<PlanTurn> turns_of(const std::vector<Part>& parts, const Workload& batch) {
  std::vector<PlanTurn> turns;
  for (const Part& part : parts) {
    if (part.tasks > 0) turns.push_back({batch.jobs[part.job].id, part.tasks});
  }
  return turns;
}

void set_pools(Plan& plan, const PriorityRule& rule, const Workload& batch) {
  const JobIds ids(batch);
  plan.pools.clear();
  for (const SlotPool& slots : rule.pools) plan.pools.push_back({slots, {}});
  for (const std::string& id : plan.order) plan.pools[rule.pool_of[ids[id]]].jobs.push_back(id);
  if (plan.pools.size() == 1) return;
  plan.order.clear();
  for (const PlanPool& pool : plan.pools)
    plan.order.insert(plan.order.end(), pool.jobs.begin(), pool.jobs.end());
}

}  // namespace

std::vector<std::int64_t> longest_left(const StageTasks& stage) {
  std::vector<std::int64_t> left(stage.runs.size());
  for (std::size_t job = 0; job + 1 < stage.runs_from.size(); ++job) {
    std::int64_t longest = 0;
    for (std::uint32_t run = stage.runs_from[job + 1]; run-- > stage.runs_from[job];)
      left[run] = longest = std::max(longest, stage.runs[run].later);
  }
  return left;
}

PriorityRule priority_rule_of_orders(const Workload& batch, SlotPool pool, std::span<const JobIndex> maps,
                                     std::span<const JobIndex> reduces) {
  return {in_order(maps_of(batch), maps),
          in_order(reduces_of(batch), reduces),
          {pool},
          std::vector<std::uint32_t>(batch.jobs.size(), 0)};
}

PriorityRule priority_rule_of(const Plan& plan, const Workload& batch, SlotPool pool) {
  const JobIds ids(batch);
  PriorityRule rule =
      priority_rule_of_orders(batch, pool, ids[plan.map_order.empty() ? plan.order : plan.map_order],
                              ids[plan.reduce_order.empty() ? plan.order : plan.reduce_order]);
  for (const PlanCap& cap : plan.caps) {
    const JobIndex job = ids[cap.id];
    const auto bounded = [](Count most) {
      return static_cast<std::uint32_t>(std::min<Count>(most, PriorityRule::uncapped));
    };
    if (cap.maps) rule.maps.cap[job] = bounded(*cap.maps);
    if (cap.reduces) rule.reduces.cap[job] = bounded(*cap.reduces);
  }
  if (plan.pools.size() < 2) return rule;
  rule.pools.clear();
  for (const PlanPool& part : plan.pools) {
    for (const std::string& id : part.jobs)
      rule.pool_of[ids[id]] = static_cast<std::uint32_t>(rule.pools.size());
    rule.pools.push_back(part.slots);
  }
  return rule;
}

void set_priority_rule(Plan& plan, const PriorityRule& rule, const Workload& batch) {
  const std::vector<Part> maps = parts_of(maps_of(batch), rule.maps);
  const std::vector<Part> reduces = parts_of(reduces_of(batch), rule.reduces);
  plan.order = first_turns(maps, batch);
  const std::vector<std::string> reduce_order = first_turns(reduces, batch);
  plan.map_order.clear();
  plan.reduce_order.clear();
  plan.map_turns.clear();
  plan.reduce_turns.clear();
  if (reduce_order != plan.order || rule.pools.size() > 1) {
    plan.map_order = plan.order;
    plan.reduce_order = reduce_order;
  }
  if (maps.size() > batch.jobs.size()) plan.map_turns = turns_of(maps, batch);
  if (reduces.size() > batch.jobs.size()) plan.reduce_turns = turns_of(reduces, batch);
  plan.caps.clear();
  for (JobIndex job = 0; job < batch.jobs.size(); ++job) {
    const auto cap_of = [&](const PriorityRule::Stage& ranks) {
      return ranks.cap[job] == PriorityRule::uncapped ? std::nullopt : std::optional<Count>(ranks.cap[job]);
    };
    const PlanCap cap{batch.jobs[job].id, cap_of(rule.maps), cap_of(rule.reduces)};
    if (cap.maps || cap.reduces) plan.caps.push_back(cap);
  }
  set_pools(plan, rule, batch);
}

}  // namespace wavewright
