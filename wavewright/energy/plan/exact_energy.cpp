#include "wavewright/energy/plan/exact_energy.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/energy/plan/exact_model.h"
#include "wavewright/job/precedence.h"

namespace wavewright {

namespace {

using Group = ExactModel::Group;
using Pool = ExactModel::Pool;
using Ms = std::int64_t;

class Search {
 public:
  Search(const Workload& workload, const ExactModel& model, const ExactLimits& limits, const Stop& stop)
      : model_(model), precedence_(workload), stop_(stop), most_steps_(limits.steps) {
    energy_ = limits.known.value_or(std::numeric_limits<MicroJoules>::max() / 4);
    found_ = limits.known.has_value();
    pools_.resize(model.pools.size());
    for (const Group& group : model.groups) {
      left_.push_back(group.tasks);
      tasks_ += static_cast<std::size_t>(group.tasks);
      to_pay_ += group.cheapest * static_cast<double>(group.tasks);
    }
    for (JobIndex job = 0; job < workload.jobs.size(); ++job)
      jobs_.push_back({precedence_.waits_for(job), model.tasks[job], to_ms(workload.jobs[job].submit), 0, 0});
    for (const std::uint32_t job : precedence_.in_order(jobs_.size())) {
      const bool empty = jobs_[job].left[0] + jobs_[job].left[1] == 0;
      if (empty && jobs_[job].waits == 0) end_job(job, jobs_[job].ready + model.setup + model.commit);
    }
  }

  std::optional<ExactEnergy> run() {
    if (placed_.size() == tasks_) {
      consider();
    } else {
      place();
    }
    if (stopped_) return std::nullopt;
    return ExactEnergy{found_, energy_, steps_, best_};
  }

 private:
  struct JobState {
    std::uint32_t waits = 0;  // predecessors whose end is not known
    std::array<Count, 2> left{};
    Ms ready = 0;  // it starts, without its setup
    Ms maps_end = 0, last = 0;
  };
  struct PoolState {
    std::vector<Ms> free;  // of the slots in use, ascending
    bool closed = false;   // no further slot comes into use
    Ms busy = 0;
  };
  struct Placement {
    std::size_t group = 0, way = 0;
    bool opens = false;  // a slot that was not in use
    Ms freed = 0;        // its slot was free from then on
    Ms start = 0, end = 0;
    double added = 0;  // µJ, against the group's cheapest way
  };

  [[nodiscard]] const ExactModel::Way& way_of(const Placement& one) const {
    return model_.groups[one.group].ways[one.way];
  }
  [[nodiscard]] bool may_start(const Group& group) const {
    const JobState& job = jobs_[group.job];
    return job.waits == 0 && (group.kind == Kind::map || job.left[0] == 0);
  }
  [[nodiscard]] Ms release(const Group& group) const {
    const JobState& job = jobs_[group.job];
    const Ms head = job.ready + model_.setup;
    return group.kind == Kind::map ? head : std::max(head, job.maps_end - model_.before);
  }

  void place() {
    std::vector<Placement> next;
    for (std::size_t g = 0; g < model_.groups.size(); ++g) {
      if (left_[g] == 0 || !may_start(model_.groups[g])) continue;
      for (std::size_t way = 0; way < model_.groups[g].ways.size(); ++way) add_placements(g, way, next);
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const Placement& a, const Placement& b) { return a.added < b.added; });
    for (const Placement& one : next) {
      if (stopped_) return;
      try_one(one);
    }
  }
  // On the slot that is free first. Where slots in use cost, that one of these, or another slot; another slot
  // comes into use only before any is used twice.
  void add_placements(std::size_t group, std::size_t way, std::vector<Placement>& next) const {
    const std::size_t at = model_.groups[group].ways[way].pool;
    const Pool& pool = model_.pools[at];
    const PoolState& state = pools_[at];
    const bool more = static_cast<Count>(state.free.size()) < pool.slots && !state.closed;
    if (more) add_placement({group, way, true, 0}, next);
    if (!state.free.empty() && (!more || pool.opens))
      add_placement({group, way, false, state.free.front()}, next);
  }
  void add_placement(Placement one, std::vector<Placement>& next) const {
    const Group& group = model_.groups[one.group];
    const ExactModel::Way& way = way_of(one);
    one.start = std::max(release(group), one.freed);
    one.end = one.start + way.time;
    if (one.start < last_start() || one.end + group.after > group.due || is_twin(one)) return;
    one.added = way.cost - group.cheapest +
                model_.pools[way.pool].idle_power * static_cast<double>(one.start - one.freed);
    next.push_back(one);
  }
  [[nodiscard]] Ms last_start() const { return placed_.empty() ? 0 : placed_.back().start; }
  // The same two placements in the other order lead to the same.
  [[nodiscard]] bool is_twin(const Placement& one) const {
    if (placed_.empty()) return false;
    const Placement& last = placed_.back();
    if (last.start != one.start || last.end == last.start) return false;
    const std::size_t own = way_of(one).pool, before = way_of(last).pool;
    if (own != before) return own < before;
    if (one.opens != last.opens || one.group >= last.group) return false;
    return release(model_.groups[one.group]) == one.start || last.freed == one.start;
  }

  void try_one(const Placement& one) {
    if (++steps_ % 1024 == 0 && stop_.now()) stopped_ = true;
    if (steps_ > most_steps_) stopped_ = true;
    if (stopped_) return;
    const Group& group = model_.groups[one.group];
    const ExactModel::Way& way = way_of(one);
    const auto jobs = jobs_;
    const PoolState pool = pools_[way.pool];
    const double paid = paid_, to_pay = to_pay_;
    const Ms end = end_;
    use(pools_[way.pool], one, way);
    paid_ += group.cheapest + one.added;
    to_pay_ -= group.cheapest;
    --left_[one.group];
    end_task(group, one.end);
    placed_.push_back(one);
    if (placed_.size() == tasks_) {
      consider();
    } else if (least_energy() < static_cast<double>(energy_)) {
      place();
    }
    placed_.pop_back();
    ++left_[one.group];
    jobs_ = jobs;
    pools_[way.pool] = pool;
    paid_ = paid;
    to_pay_ = to_pay;
    end_ = end;
  }
  static void use(PoolState& pool, const Placement& one, const ExactModel::Way& way) {
    if (!one.opens) {
      pool.free.erase(pool.free.begin());
      pool.closed = true;
    }
    pool.free.insert(std::upper_bound(pool.free.begin(), pool.free.end(), one.end), one.end);
    pool.busy += way.slot_time;
  }
  void end_task(const Group& group, Ms end) {
    JobState& job = jobs_[group.job];
    --job.left[place_of(group.kind)];
    if (group.kind == Kind::map) job.maps_end = std::max(job.maps_end, end);
    job.last = std::max(job.last, end);
    if (job.left[0] + job.left[1] == 0) end_job(group.job, job.last + model_.commit);
  }
  void end_job(JobIndex job, Ms end) {
    end_ = std::max(end_, end);
    for (const std::uint32_t next : precedence_.successors(job)) {
      JobState& of = jobs_[next];
      of.ready = std::max(of.ready, end);
      if (--of.waits == 0 && of.left[0] + of.left[1] == 0)
        end_job(next, of.ready + model_.setup + model_.commit);
    }
  }

  // No schedule that goes on from here takes less: the claim of energy_bound.h.
  [[nodiscard]] double least_energy() const {
    Ms end = std::max(end_, model_.earliest_end);
    for (std::size_t g = 0; g < model_.groups.size(); ++g) {
      const Group& group = model_.groups[g];
      if (left_[g] > 0 && may_start(group))
        end = std::max(end, std::max(last_start(), release(group)) + group.shortest + group.after);
    }
    double sum = paid_ + to_pay_ + model_.unpaid * static_cast<double>(end);
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      const Pool& pool = model_.pools[i];
      if (pool.idle_power == 0) continue;
      // Nothing starts before the last start any more.
      Ms idle = last_start() * (pool.slots - static_cast<Count>(pools_[i].free.size()));
      for (const Ms freed : pools_[i].free) idle += std::max<Ms>(0, last_start() - freed);
      sum += pool.idle_power * static_cast<double>(idle);
    }
    for (std::size_t row = 0; row < model_.rows.size(); ++row)
      sum += static_cast<double>(model_.rows[row].wake) * static_cast<double>(machines(row));
    constexpr double rounding = 1e-9;
    return sum * (1 - rounding) - 1;
  }
  [[nodiscard]] Count machines(std::size_t row) const {
    Count most = 0;
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const Count slots = model_.rows[row].slots[kind];
      const auto used = static_cast<Count>(pools_[2 * row + kind].free.size());
      if (slots > 0) most = std::max(most, (used + slots - 1) / slots);
    }
    return most;
  }

  void consider() {
    if (least_energy() >= static_cast<double>(energy_)) return;  // so that the sums below stay small, too
    MicroJoules sum = energy_of(model_.flows, ms(std::max(end_, model_.earliest_end)));
    for (const Placement& one : placed_) add_energy(sum, way_of(one).work);
    for (std::size_t row = 0; row < model_.rows.size(); ++row) {
      Ms on = 0;
      for (std::size_t kind = 0; kind < 2; ++kind) {
        const Count slots = model_.rows[row].slots[kind];
        if (slots > 0) on = std::max(on, pools_[2 * row + kind].busy / slots);
      }
      add_energy(sum, energy_of(model_.rows[row].surplus, ms(on)));
      add_energy(sum, model_.rows[row].wake * machines(row));
    }
    if (sum >= energy_) return;
    energy_ = sum;
    found_ = true;
    best_.clear();
    for (const Placement& one : placed_) {
      const Group& group = model_.groups[one.group];
      best_.push_back(
          {group.job, group.kind, model_.pools[way_of(one).pool].row, at_ms(one.start), at_ms(one.end)});
    }
  }

  const ExactModel& model_;
  Precedence precedence_;
  const Stop& stop_;
  std::uint64_t most_steps_, steps_ = 0;
  bool stopped_ = false, found_ = false;
  std::size_t tasks_ = 0;

  // Of the tasks that are placed:
  std::vector<Placement> placed_;
  std::vector<JobState> jobs_;
  std::vector<PoolState> pools_;
  std::vector<Count> left_;       // by group
  double paid_ = 0, to_pay_ = 0;  // µJ: by them, with the rents of idle slots; at least by the others
  Ms end_ = 0;                    // of jobs

  MicroJoules energy_ = 0;
  std::vector<ExactEnergy::Placed> best_;
};

}  // namespace

std::optional<ExactEnergy> exact_energy(const Workload& workload, const Cluster& cluster,
                                        const LeastEnergy& least, const EnergyBound& bound,
                                        const ExactLimits& limits, const Stop& stop) {
  if (workload.tasks() > most_exact_tasks) {
    throw UsageError(fmt::format("the exact search takes at most {} tasks, and these are {}",
                                 most_exact_tasks, workload.tasks()),
                     "leave it out: the bound tells how far the plan is from the best at most");
  }
  const ExactModel model(workload, cluster, least, bound);
  return Search(workload, model, limits, stop).run();
}

}  // namespace wavewright
