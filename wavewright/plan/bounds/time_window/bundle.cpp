#include "wavewright/plan/bounds/time_window/bundle.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wavewright {

namespace {

constexpr double balanced = 1e-3;  // of the distance from the best value to `most`
constexpr double nothing = 1e-9;
constexpr double first_step = 0.3, longest_step = 1e5;  // of that distance; the first / squared direction
constexpr double least_part = 2e-5;                     // of `most`: a smaller promise changes the step
constexpr std::size_t most_hesitations = 3;             // small promises with unbalanced shares, then done
constexpr double kept = 0.7, half_kept = 0.4;           // gain / promise

bool alike(const Bundle::Linear& a, const Bundle::Linear& b) {
  return a.maps == b.maps && a.all == b.all && a.value == b.value &&
         std::equal(a.uses.begin(), a.uses.end(), b.uses.begin(), b.uses.end(),
                    [](Bundle::Use x, Bundle::Use y) { return x.price == y.price && x.use == y.use; });
}

}  // namespace

void Bundle::begin(std::span<const double> prices, std::span<const double> limits, double most) {
  for (auto& part : parts_) part.clear();
  limits_.assign(limits.begin(), limits.end());
  centre_.assign(prices.begin(), prices.end());
  looked_ = centre_;
  most_ = most;
  best_ = -std::numeric_limits<double>::infinity();
  step_ = promise_ = 0;
  failures_ = hesitations_ = 0;
  begun_ = done_ = false;
}

void Bundle::see(double value, std::vector<Linear> least) {
  if (!begun_ || value > best_ + nothing) {
    if (begun_) {
      const double of_promise = (value - best_) / std::max(promise_, nothing);
      if (of_promise > kept) {
        step_ *= 4;
      } else if (of_promise > half_kept) {
        step_ *= 1.5;
      }
    }
    best_ = value;
    centre_ = looked_;
    failures_ = 0;
    begun_ = true;
  } else if (++failures_ % 6 == 0 || value < best_ - 2 * promise_) {
    step_ *= 0.65;
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::vector<Linear>& part = parts_[i];
    if (std::any_of(part.begin(), part.end(), [&](const Linear& other) { return alike(other, least[i]); }))
      continue;
    if (part.size() == most_functions) {
      const auto oldest = std::max_element(
          part.begin(), part.end(), [](const Linear& a, const Linear& b) { return a.unused < b.unused; });
      if (oldest->share == 0) part.erase(oldest);
    }
    least[i].share = part.empty() ? 1 : 0;
    part.push_back(std::move(least[i]));
  }
}

void Bundle::even_out(std::size_t part) {
  double sum = 0;
  for (const Linear& function : parts_[part]) sum += function.share;
  if (parts_[part].empty()) return;
  if (sum < nothing) {
    parts_[part].front().share = 1;
    return;
  }
  for (Linear& function : parts_[part]) function.share /= sum;
}

double Bundle::at(const Linear& function) const {
  double value = function.value;
  for (const Use& use : function.uses) value += looked_[use.price] * use.use;
  return value;
}

void Bundle::shift(const Linear& function, double by) {
  for (const Use& use : function.uses) direction_[use.price] += by * use.use;
}

// Moves share from a part's dearest function with a share to its cheapest one, as long as that gains.
void Bundle::balance(std::size_t part) {
  Linear *cheapest = nullptr, *dearest = nullptr;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Linear& function : parts_[part]) {
    const double value = at(function);
    if (value < least) least = value, cheapest = &function;
    if (function.share > 0 && value > most) most = value, dearest = &function;
  }
  if (cheapest == dearest || cheapest == nullptr || dearest == nullptr || most - least < nothing) return;
  unbalanced_ = std::max(unbalanced_, most - least);
  // The change for a whole share if prices follow.
  shift(*cheapest, 1);
  shift(*dearest, -1);
  const auto follows = [&](std::uint32_t price, double change) {
    return looked_[price] > 0 || (change > 0 && centre_[price] + step_ * (direction_[price] - change) >= 0);
  };
  double squares = 0;
  const auto square = [&](const Linear& function, const Linear& other, bool first) {
    auto beside = other.uses.begin();
    for (const Use& use : function.uses) {
      while (beside != other.uses.end() && beside->price < use.price) ++beside;
      const bool both = beside != other.uses.end() && beside->price == use.price;
      if (both && !first) continue;
      const double change = (first ? use.use : -use.use) - (both ? beside->use : 0);
      if (follows(use.price, change)) squares += change * change;
    }
  };
  square(*cheapest, *dearest, true);
  square(*dearest, *cheapest, false);
  const double share = std::min(dearest->share, (most - least) / (step_ * std::max(squares, nothing)));
  shift(*cheapest, share - 1);
  shift(*dearest, 1 - share);
  cheapest->share += share;
  dearest->share = share == dearest->share ? 0 : dearest->share - share;
  for (const Linear* function : {cheapest, dearest}) {
    for (const Use& use : function->uses)
      looked_[use.price] = std::max(0.0, centre_[use.price] + step_ * direction_[use.price]);
  }
}

std::span<const double> Bundle::next() {
  direction_.resize(limits_.size());
  for (std::size_t price = 0; price < limits_.size(); ++price) direction_[price] = -limits_[price];
  for (const auto& part : parts_) {
    for (const Linear& function : part) {
      if (function.share > 0) shift(function, function.share);
    }
  }
  const double left = std::max(most_ - best_, nothing);
  if (step_ == 0) {
    double squares = nothing;
    for (std::size_t price = 0; price < limits_.size(); ++price) {
      if (direction_[price] > 0 || centre_[price] > 0) squares += direction_[price] * direction_[price];
    }
    step_ = first_step * left / squares;
  }
  for (std::size_t price = 0; price < limits_.size(); ++price)
    looked_[price] = std::max(0.0, centre_[price] + step_ * direction_[price]);
  for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
    unbalanced_ = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) balance(part);
    if (unbalanced_ < balanced * left) break;
  }
  double promised = 0;
  for (std::size_t price = 0; price < limits_.size(); ++price) promised -= limits_[price] * looked_[price];
  for (auto& part : parts_) {
    double least = std::numeric_limits<double>::infinity();
    for (Linear& function : part) {
      least = std::min(least, at(function));
      function.unused = function.share > 0 ? 0 : function.unused + 1;
    }
    promised += part.empty() ? 0 : least;
  }
  promise_ = std::max(0.0, promised - best_);
  if (promise_ < least_part * most_) {
    const bool is_balanced = unbalanced_ < balanced * left;
    done_ = is_balanced ? step_ > longest_step * left : ++hesitations_ == most_hesitations;
    step_ *= is_balanced ? 10 : 0.3;
  }
  return looked_;
}

}  // namespace wavewright
