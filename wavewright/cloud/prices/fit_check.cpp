#include "wavewright/cloud/prices/fit_check.h"

#include <algorithm>
#include <span>

#include "wavewright/cloud/prices/price_chain.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

struct Values {
  std::vector<std::int64_t> prices, times;
};

Values values_of(std::span<const PriceStep> steps) {
  Values values;
  for (const PriceStep& step : steps) {
    values.prices.push_back(step.per_hour.micro_usd);
    if (step.lasted) values.times.push_back(to_ms(*step.lasted));
  }
  return values;
}

// As many draws as there are changes, repeats included: a margin is a matter of draws.
Values drawn_values(const PriceModel& model, std::size_t prices, std::size_t times, std::uint64_t seed,
                    std::uint64_t number) {
  DrawnPrices draw(model, {.seed = seed, .number = number});
  Values values;
  for (std::size_t i = 0; i < std::max(prices, times); ++i) {
    const DrawnPrices::Step step = draw.next();
    if (i < prices) values.prices.push_back(step.per_hour.micro_usd);
    if (i < times) values.times.push_back(to_ms(step.lasts));
  }
  return values;
}

std::size_t first_part(std::size_t values, double held_back) {
  return static_cast<std::size_t>(static_cast<double>(values) * (1 - held_back));
}

double held_distance(const Margin& margin, const std::vector<std::int64_t>& values, double held_back) {
  const std::span<const std::int64_t> all(values);
  const std::size_t first = first_part(values.size(), held_back);
  return distance_of(refit(margin, all.first(first)), all.subspan(first));
}

class Check {
 public:
  Check(DistanceCheck& into, double distance, std::size_t values) : into_(into) {
    into_.distance = distance;
    into_.values = static_cast<Count>(values);
  }
  void add(double distance) { distances_.push_back(distance); }
  void end() {
    if (distances_.empty()) return;
    std::sort(distances_.begin(), distances_.end());
    const auto as_far =
        distances_.end() - std::lower_bound(distances_.begin(), distances_.end(), into_.distance);
    into_.drawn = static_cast<Count>(distances_.size());
    into_.p = static_cast<double>(as_far + 1) / static_cast<double>(into_.drawn + 1);
    into_.usual = distances_[distances_.size() / 2];
  }

 private:
  DistanceCheck& into_;
  std::vector<double> distances_;
};

// Drawn times are multiplied by a factor that the margin does not know.
PriceModel without_factor(PriceModel model) {
  model.chain.time_factor = 1;
  return model;
}

}  // namespace

FitCheck check_fit(const PriceHistory& history, const PriceModel& model, const FitCheckOptions& options) {
  if (!(options.held_back > 0 && options.held_back < 1))
    throw UsageError("the share held back is not between 0 and 1", "give one like 0.3");
  const std::vector<PriceStep> steps = price_steps(history, options.model.longest_gap);
  const Values seen = values_of(steps);
  const std::size_t first = first_part(steps.size(), options.held_back);
  if (first == 0 || first >= history.points().size())
    throw UsageError("too few changes to hold some back", "give a longer history");
  // The model of the first part, whose number of components is chosen from that part alone.
  const Time cut = history.without_repeats().points()[first].from;
  const PriceModel earlier = fit_price_model(history.between(history.begin(), cut), options.model).model;
  const PriceModel whole = without_factor(model), part = without_factor(earlier);

  const Values rest = values_of(std::span(steps).subspan(first));
  FitCheck found;
  Check price(found.price, distance_of(model.price, seen.prices), seen.prices.size());
  Check time(found.time, distance_of(model.time, seen.times), seen.times.size());
  Check held_price(found.held_price, distance_of(earlier.price, rest.prices), rest.prices.size());
  Check held_time(found.held_time, distance_of(earlier.time, rest.times), rest.times.size());
  for (Count i = 0; i < options.drawn && !options.stop.now(); ++i) {
    const auto number = static_cast<std::uint64_t>(i) + 1;
    const Values all = drawn_values(whole, seen.prices.size(), seen.times.size(), options.seed, number);
    price.add(distance_of(refit(whole.price, all.prices), all.prices));
    time.add(distance_of(refit(whole.time, all.times), all.times));
    const Values again = drawn_values(part, seen.prices.size(), seen.times.size(), options.seed, number);
    held_price.add(held_distance(part.price, again.prices, options.held_back));
    held_time.add(held_distance(part.time, again.times, options.held_back));
  }
  for (Check* each : {&price, &time, &held_price, &held_time}) each->end();
  return found;
}

}  // namespace wavewright
