#include "wavewright/energy/plan/rents.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wavewright/cluster/presence.h"

namespace wavewright {

namespace {

bool always_there(const NodeGroup& group) {
  return !group.rent && stays_of(group) == std::vector<Stay>{Stay{}};
}

}  // namespace

Rents::Rents(const LeastEnergy& least, const Cluster& cluster, const SlotCapacity* capacity)
    : least_(least), capacity_(capacity), rows_(cluster.nodes.size()) {
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
  prices_.assign(rows_ * slot_kinds * windows(), 0);
  set_usual_prices();
}

void Rents::add_row(std::size_t row, const NodeGroup& group, const NodePower& power, Budget& all) {
  const auto count = static_cast<double>(group.count);
  const bool always = always_there(group);
  const Milliwatts surplus = always ? 0 : std::max<Milliwatts>(0, power.idle - power.off);
  all.power += count * static_cast<double>(always ? power.idle : std::min(power.idle, power.off));
  Budget own;
  own.power = count * static_cast<double>(surplus);
  if (capacity_ != nullptr && group.rent)
    own.power += count * static_cast<double>(power.wake) / capacity_->horizon(row);
  const Count slots[slot_kinds] = {group.slots.map_slots, group.slots.reduce_slots};
  for (std::size_t kind = 0; kind < slot_kinds; ++kind) {
    if (slots[kind] == 0 || group.count == 0) continue;
    own.places.push_back(places_.size());
    all.places.push_back(places_.size());
    places_.push_back({row, kind, count * static_cast<double>(slots[kind])});
  }
  if (own.power > 0 && !own.places.empty()) budgets_.push_back(std::move(own));
}

double Rents::value() {
  const SlotPrices rents = by_row();
  SlotPrices used(rows_, {0, 0});
  double sum = 0;
  const double* slot_time = slot_times_.data();
  std::vector<double> power(rows_);
  for (std::size_t of = 0; of < least_.stages.size(); ++of) {
    const TaskStage& stage = least_.stages[of];
    const std::size_t kind = place_of(stage.kind);
    for (std::size_t row = 0; row < rows_; ++row)
      power[row] = stage.rows[row].power + rents[row][kind] + price_of_time(of, row, kind);
    for (const TaskStage::Tasks& tasks : stage.tasks) {
      double best = std::numeric_limits<double>::infinity(), time = 0;
      std::size_t on = 0;
      for (std::size_t row = 0; row < rows_; ++row) {
        const double cost = slot_time[row] * power[row];
        if (!(cost < best)) continue;
        best = cost;
        time = slot_time[row];
        on = row;
      }
      slot_time += rows_;
      const auto count = static_cast<double>(tasks.count);
      sum += best * count;
      used[on][kind] += time * count;
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    loads_[i] = place.slots == 0 ? least_.earliest_end : used[place.row][place.kind] / place.slots;
  }
  const Budget& all = budgets_.back();
  return sum + all.power * all.shares.back() * least_.earliest_end - price_of_all_time();
}

void Rents::step(double size) {
  for (Budget& budget : budgets_) {
    double highest = 0, sum = 0;
    for (const std::size_t place : budget.places) highest = std::max(highest, loads_[place]);
    if (highest == 0) continue;
    for (std::size_t i = 0; i < budget.places.size(); ++i)
      sum += budget.shares[i] *= std::exp(size * (loads_[budget.places[i]] / highest - 1));
    for (double& share : budget.shares) share /= sum;
  }
}

Rents::Point Rents::point() const {
  Point point;
  for (const Budget& budget : budgets_) point.shares.push_back(budget.shares);
  point.prices = prices_;
  return point;
}

void Rents::set(const Point& point) {
  for (std::size_t i = 0; i < budgets_.size(); ++i) budgets_[i].shares = point.shares[i];
  prices_ = point.prices;
}

Rents::Point Rents::with_rents(const SlotPrices& rents, std::vector<double> prices) const {
  // mW that each place still asks for. A machine's own surplus pays first.
  std::vector<double> asked;
  asked.reserve(places_.size());
  for (const Place& place : places_)
    asked.push_back(place.slots * (place.slots > 0 ? rents[place.row][place.kind] : 0));
  Point point{{}, std::move(prices)};
  for (const Budget& budget : budgets_) {
    std::vector<double>& shares = point.shares.emplace_back();
    double sum = 0;
    for (const std::size_t place : budget.places) sum += asked[place];
    const bool last = &budget == &budgets_.back();
    const double paid = budget.power > 0 ? std::min(1.0, sum / budget.power) : 0;
    for (const std::size_t place : budget.places) {
      const double part = sum > 0 ? asked[place] / sum : 1.0 / static_cast<double>(budget.places.size());
      shares.push_back(last ? (sum > 0 ? part * paid : 0) : part);
      asked[place] -= std::min(asked[place], budget.power * shares.back());
    }
    if (last) shares.back() = 1 - std::accumulate(shares.begin(), shares.end() - 1, 0.0);
  }
  return point;
}

SlotPrices Rents::by_row() const {
  SlotPrices rents(rows_, {0, 0});
  for (const Budget& budget : budgets_) {
    for (std::size_t i = 0; i < budget.places.size(); ++i) {
      const Place& place = places_[budget.places[i]];
      if (place.slots > 0) rents[place.row][place.kind] += budget.power * budget.shares[i] / place.slots;
    }
  }
  return rents;
}

std::vector<std::vector<double>> Rents::by_stage() const {
  const SlotPrices rents = by_row();
  std::vector<std::vector<double>> all;
  for (std::size_t of = 0; of < least_.stages.size(); ++of) {
    const std::size_t kind = place_of(least_.stages[of].kind);
    std::vector<double>& own = all.emplace_back();
    for (std::size_t row = 0; row < rows_; ++row)
      own.push_back(rents[row][kind] + price_of_time(of, row, kind));
  }
  return all;
}

double Rents::usual_price(std::size_t at) const {
  const std::size_t place = at / windows();
  return usual_prices_[place / slot_kinds][place % slot_kinds];
}

void Rents::set_usual_prices() {
  const SlotPrices rents = by_row();
  usual_prices_.assign(rows_, {1, 1});
  for (const TaskStage& stage : least_.stages) {
    const std::size_t kind = place_of(stage.kind);
    for (std::size_t row = 0; row < rows_; ++row) {
      double& usual = usual_prices_[row][kind];
      usual = std::max(usual, stage.rows[row].power + rents[row][kind]);
    }
  }
}

std::size_t Rents::steps_of_value() const {
  std::size_t steps = places_.size() + prices_.size() + least_.stages.size() * rows_ * (windows() + 1);
  for (const TaskStage& stage : least_.stages) steps += stage.tasks.size() * rows_;
  return steps;
}

double Rents::time_there(std::size_t at) const {
  const std::size_t place = at / windows();
  return capacity_->of(place / slot_kinds, place % slot_kinds, at % windows());
}

double Rents::price_of_time(std::size_t stage, std::size_t row, std::size_t kind) const {
  if (capacity_ == nullptr) return 0;
  double sum = 0;
  for (const std::size_t window : capacity_->windows_of(stage)) sum += prices_[at(row, kind, window)];
  return sum;
}

double Rents::price_of_all_time() const {
  double sum = 0;
  for (std::size_t i = 0; i < prices_.size(); ++i) sum += prices_[i] * time_there(i);
  return sum;
}

}  // namespace wavewright
