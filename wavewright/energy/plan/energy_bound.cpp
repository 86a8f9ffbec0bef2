#include "wavewright/energy/plan/energy_bound.h"

#include <algorithm>
#include <cmath>

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/energy/plan/rent_program.h"

namespace wavewright {

namespace {

// The highest value: near it by a linear program or along the subgradient, then by small moves.
class Search {
 public:
  Search(Rents& rents, const Cluster& cluster) : rents_(rents), cluster_(cluster) {}

  void run() {
    constexpr std::size_t most_steps = 60'000'000, most_rounds = 1'500;
    const std::size_t rounds = std::clamp<std::size_t>(
        most_steps / std::max<std::size_t>(1, rents_.steps_of_value()), 30, most_rounds);
    keep(rents_.value());
    const std::optional<Rents::Point> near = rents_by_linear_program(rents_, cluster_);
    if (near) {
      rents_.set(*near);
      keep(rents_.value());
    }
    // It is nearer than the program where that counts many stages as one, but moves no prices.
    if (!near || rents_.prices().empty()) follow_subgradient(rounds);
    rents_.set(best_);
    move_about(rounds);
    rents_.set(best_);
  }
  [[nodiscard]] double best() const { return value_; }

 private:
  void keep(double value) {
    if (!(value > value_)) return;
    value_ = value;
    best_ = rents_.point();
  }

  // Prices of time stay as they are.
  void follow_subgradient(std::size_t rounds) {
    Rents::Point mean = rents_.point();
    for (std::size_t round = 1; round <= rounds; ++round) {
      keep(rents_.value());
      for (std::size_t i = 0; i < mean.shares.size(); ++i) {
        for (std::size_t j = 0; j < mean.shares[i].size(); ++j)
          mean.shares[i][j] += rents_.budgets()[i].shares[j];
      }
      rents_.step(2 / std::sqrt(static_cast<double>(round)));
    }
    for (std::vector<double>& shares : mean.shares) {
      double whole = 0;
      for (const double share : shares) whole += share;
      for (double& share : shares) share /= whole;
    }
    rents_.set(mean);
    keep(rents_.value());
  }

  // Moves rent from one place to another, and prices up and down, while that raises the value, in ever
  // smaller amounts.
  void move_about(std::size_t values) {
    constexpr double first = 0.2, least = 1e-4;
    for (double amount = first; amount > least && values > 0;) {
      const double before = value_;
      for (std::size_t i = 0; i < rents_.budgets().size(); ++i) {
        const std::size_t places = rents_.budgets()[i].places.size();
        for (std::size_t from = 0; from < places; ++from)
          for (std::size_t to = 0; to < places && values > 0; ++to) values -= try_move(i, from, to, amount);
      }
      for (std::size_t i = 0; i < rents_.prices().size(); ++i) {
        for (const double by : {amount, -amount})
          if (values > 0) values -= try_price(i, by * rents_.usual_price(i));
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
  std::size_t try_price(std::size_t at, double by) {
    double& price = rents_.prices()[at];
    const double had = price, before = value_;
    price = std::max(0.0, price + by);
    if (price == had) return 0;
    keep(rents_.value());
    if (value_ <= before) price = had;
    return 1;
  }

  Rents& rents_;
  const Cluster& cluster_;
  double value_ = -1;
  Rents::Point best_;
};

// None if some task can't run anywhere.
std::optional<EnergyBound> highest(const LeastEnergy& least, const Cluster& cluster,
                                   const SlotCapacity* capacity) {
  Rents rents(least, cluster, capacity);
  if (std::isinf(rents.value())) return std::nullopt;
  Search search(rents, cluster);
  search.run();
  constexpr double rounding = 1e-12;  // of sums of doubles, for each summand
  const double summands = static_cast<double>(rents.steps_of_value());
  const double energy = search.best() * (1 - rounding * std::min(summands, 1e6)) - 1;
  return EnergyBound{static_cast<MicroJoules>(std::max(0.0, energy)), rents.by_row(), rents.by_stage()};
}

}  // namespace

std::optional<EnergyBound> energy_bound(const LeastEnergy& least, const Cluster& cluster) {
  if (cluster.mode.kind != ClusterMode::Kind::slots) return std::nullopt;
  std::optional<EnergyBound> bound = highest(least, cluster, nullptr);
  const SlotCapacity capacity(least, cluster);
  if (!bound || capacity.windows() == 0) return bound;
  const std::optional<EnergyBound> with_prices = highest(least, cluster, &capacity);
  bound->asked = with_prices->asked;
  bound->energy = std::max(bound->energy, with_prices->energy);
  return bound;
}

std::optional<EnergyBound> energy_bound(const Workload& workload, const Cluster& cluster) {
  if (cluster.mode.kind != ClusterMode::Kind::slots || !impossible_deadlines(workload, cluster).empty())
    return std::nullopt;
  return energy_bound(least_energy(workload, cluster), cluster);
}

}  // namespace wavewright
