#include "wavewright/energy/plan/energy_bound.h"

#include <algorithm>
#include <cmath>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cluster/presence.h"

namespace wavewright {

namespace {

constexpr std::size_t kinds = 2;

// A place for rent: the slots of a kind on all machines of a row; or the makespan, which needs no task.
struct Place {
  std::size_t row = 0, kind = 0;
  double slots = 0;  // 0: the makespan
};

// Power that flows anyway, and the places that share it.
struct Budget {
  double power = 0;  // mW
  std::vector<std::size_t> places;
  std::vector<double> shares;  // they add up to 1
};

bool always_there(const NodeGroup& group) {
  return !group.rent && stays_of(group) == std::vector<Stay>{Stay{}};
}

// The value of rents, and how they may be shared out.
class Rents {
 public:
  Rents(const LeastEnergy& least, const Cluster& cluster) : least_(least) {
    rows_ = cluster.nodes.size();
    const PowerModel model(cluster);
    Budget all;
    for (std::size_t row = 0; row < rows_; ++row) add_row(row, cluster.nodes[row], model.of_row(row), all);
    all.places.push_back(places_.size());
    places_.push_back({});
    budgets_.push_back(std::move(all));
    for (Budget& budget : budgets_)
      budget.shares.assign(budget.places.size(), 1.0 / static_cast<double>(budget.places.size()));
    loads_.resize(places_.size());
    for (const TaskStage& stage : least_.stages) {
      for (const TaskStage::Tasks& tasks : stage.tasks) {
        for (const TasksOnRow& on : stage.rows) slot_times_.push_back(stage.time_on(on, tasks) * on.share);
      }
    }
  }

  // Σ of the claim for the present shares, in µJ. Sets the loads: the time for which the slots of each place
  // are in use, where each task takes its cheapest row.
  double value() {
    const std::vector<std::array<double, kinds>> rents = by_row();
    std::vector<std::array<double, kinds>> used(rows_, {0, 0});
    double sum = 0;
    const double* slot_time = slot_times_.data();
    std::vector<double> power(rows_);
    for (const TaskStage& stage : least_.stages) {
      const std::size_t kind = place_of(stage.kind);
      for (std::size_t row = 0; row < rows_; ++row) power[row] = stage.rows[row].power + rents[row][kind];
      for (const TaskStage::Tasks& tasks : stage.tasks) {
        double best = std::numeric_limits<double>::infinity(), time = 0;
        std::size_t at = 0;
        for (std::size_t row = 0; row < rows_; ++row) {
          const double cost = slot_time[row] * power[row];
          if (!(cost < best)) continue;
          best = cost;
          time = slot_time[row];
          at = row;
        }
        slot_time += rows_;
        const auto count = static_cast<double>(tasks.count);
        sum += best * count;
        used[at][kind] += time * count;
      }
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& place = places_[i];
      loads_[i] = place.slots == 0 ? least_.earliest_end : used[place.row][place.kind] / place.slots;
    }
    const Budget& all = budgets_.back();
    return sum + all.power * all.shares.back() * least_.earliest_end;
  }

  [[nodiscard]] std::vector<std::array<double, kinds>> by_row() const {
    std::vector<std::array<double, kinds>> rents(rows_, {0, 0});
    for (const Budget& budget : budgets_) {
      for (std::size_t i = 0; i < budget.places.size(); ++i) {
        const Place& place = places_[budget.places[i]];
        if (place.slots > 0) rents[place.row][place.kind] += budget.power * budget.shares[i] / place.slots;
      }
    }
    return rents;
  }

  // Moves shares towards places with a high load.
  void step(double size) {
    for (Budget& budget : budgets_) {
      double highest = 0, sum = 0;
      for (const std::size_t place : budget.places) highest = std::max(highest, loads_[place]);
      if (highest == 0) continue;
      for (std::size_t i = 0; i < budget.places.size(); ++i)
        sum += budget.shares[i] *= std::exp(size * (loads_[budget.places[i]] / highest - 1));
      for (double& share : budget.shares) share /= sum;
    }
  }

  [[nodiscard]] std::vector<Budget>& budgets() { return budgets_; }
  [[nodiscard]] std::size_t steps_of_value() const {
    std::size_t steps = places_.size();
    for (const TaskStage& stage : least_.stages) steps += stage.tasks.size() * rows_;
    return steps;
  }

 private:
  void add_row(std::size_t row, const NodeGroup& group, const NodePower& power, Budget& all) {
    const auto count = static_cast<double>(group.count);
    const bool always = always_there(group);
    const Milliwatts surplus = always ? 0 : std::max<Milliwatts>(0, power.idle - power.off);
    all.power += count * static_cast<double>(always ? power.idle : std::min(power.idle, power.off));
    Budget own;
    own.power = count * static_cast<double>(surplus);
    const Count slots[kinds] = {group.slots.map_slots, group.slots.reduce_slots};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (slots[kind] == 0 || group.count == 0) continue;
      own.places.push_back(places_.size());
      all.places.push_back(places_.size());
      places_.push_back({row, kind, count * static_cast<double>(slots[kind])});
    }
    if (own.power > 0 && !own.places.empty()) budgets_.push_back(std::move(own));
  }

  const LeastEnergy& least_;
  std::size_t rows_ = 0;
  std::vector<double> slot_times_;  // ms, by tasks of a stage and by row
  std::vector<Place> places_;
  std::vector<Budget> budgets_;  // that of all machines is the last
  std::vector<double> loads_;    // ms, by place
};

using Shares = std::vector<std::vector<double>>;

class Search {
 public:
  explicit Search(Rents& rents) : rents_(rents) {}

  void run() {
    constexpr std::size_t most_steps = 60'000'000, most_rounds = 1'500;
    const std::size_t rounds = std::clamp<std::size_t>(
        most_steps / std::max<std::size_t>(1, rents_.steps_of_value()), 30, most_rounds);
    Shares sum;
    for (std::size_t round = 1; round <= rounds; ++round) {
      keep(rents_.value());
      add(sum);
      rents_.step(2 / std::sqrt(static_cast<double>(round)));
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      double whole = 0;
      for (const double share : sum[i]) whole += share;
      for (std::size_t j = 0; j < sum[i].size(); ++j) rents_.budgets()[i].shares[j] = sum[i][j] / whole;
    }
    keep(rents_.value());
    set(best_);
    move_about(rounds);
    set(best_);
  }
  [[nodiscard]] double best() const { return value_; }

 private:
  void keep(double value) {
    if (!(value > value_)) return;
    value_ = value;
    best_.clear();
    for (const Budget& budget : rents_.budgets()) best_.push_back(budget.shares);
  }
  void set(const Shares& shares) {
    for (std::size_t i = 0; i < shares.size(); ++i) rents_.budgets()[i].shares = shares[i];
  }
  void add(Shares& sum) const {
    sum.resize(rents_.budgets().size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const std::vector<double>& shares = rents_.budgets()[i].shares;
      sum[i].resize(shares.size());
      for (std::size_t j = 0; j < shares.size(); ++j) sum[i][j] += shares[j];
    }
  }
  // Moves rent from one place to another while that raises the value, in ever smaller amounts.
  void move_about(std::size_t values) {
    constexpr double first = 0.2, least = 1e-4;
    for (double amount = first; amount > least && values > 0;) {
      const double before = value_;
      for (std::size_t i = 0; i < rents_.budgets().size(); ++i) {
        const std::size_t places = rents_.budgets()[i].places.size();
        for (std::size_t from = 0; from < places; ++from)
          for (std::size_t to = 0; to < places && values > 0; ++to) values -= try_move(i, from, to, amount);
      }
      if (value_ <= before) amount /= 2;
    }
  }
  std::size_t try_move(std::size_t budget, std::size_t from, std::size_t to, double amount) {
    std::vector<double>& shares = rents_.budgets()[budget].shares;
    if (from == to || shares[from] == 0) return 0;
    const double moved = std::min(amount, shares[from]), left = shares[from], had = shares[to];
    shares[from] = left - moved;
    shares[to] = had + moved;
    const double before = value_;
    keep(rents_.value());
    if (value_ <= before) {
      shares[from] = left;
      shares[to] = had;
    }
    return 1;
  }

  Rents& rents_;
  double value_ = -1;
  Shares best_;
};

}  // namespace

std::optional<EnergyBound> energy_bound(const LeastEnergy& least, const Cluster& cluster) {
  if (cluster.mode.kind != ClusterMode::Kind::slots) return std::nullopt;
  Rents rents(least, cluster);
  if (std::isinf(rents.value())) return std::nullopt;
  Search search(rents);
  search.run();
  constexpr double rounding = 1e-12;  // of sums of doubles, for each summand
  const double summands = static_cast<double>(rents.steps_of_value());
  const double energy = search.best() * (1 - rounding * std::min(summands, 1e6)) - 1;
  return EnergyBound{static_cast<MicroJoules>(std::max(0.0, energy)), rents.by_row()};
}

std::optional<EnergyBound> energy_bound(const Workload& workload, const Cluster& cluster) {
  if (cluster.mode.kind != ClusterMode::Kind::slots || !impossible_deadlines(workload, cluster).empty())
    return std::nullopt;
  return energy_bound(least_energy(workload, cluster), cluster);
}

}  // namespace wavewright
