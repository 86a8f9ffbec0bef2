#include "wavewright/cloud/prices/price_model.h"

#include <fmt/format.h>

#include "wavewright/cloud/prices/price_chain.h"
#include "wavewright/core/error.h"

namespace wavewright {

PriceModelFit fit_price_model(const PriceHistory& history, const PriceModelOptions& options) {
  const std::vector<PriceStep> steps = price_steps(history, options.longest_gap);
  std::vector<std::int64_t> prices, times;
  for (const PriceStep& step : steps) {
    prices.push_back(step.per_hour.micro_usd);
    if (step.lasted) times.push_back(to_ms(*step.lasted));
  }
  if (times.size() < PriceModelOptions::least_changes) {
    throw UsageError(fmt::format("{} has {} changes of price with a known time, and a model needs {}",
                                 history.market().text(), times.size(), PriceModelOptions::least_changes),
                     "give a longer history");
  }
  constexpr std::int64_t finest_price = 100;  // EC2 tells 0.0001 USD
  constexpr std::int64_t second = 1000;
  PriceModelFit found;
  const MarginOptions how = {.scale = options.scale, .components = options.components, .seed = options.seed};
  MarginOptions of_price = how, of_time = how;
  of_price.coarsest_step = finest_price;
  of_time.coarsest_step = second;
  found.price = fit_margin(prices, of_price);
  found.time = fit_margin(times, of_time);
  found.model = {.market = history.market(),
                 .price = found.price.margin,
                 .time = found.time.margin,
                 .changes = steps.size(),
                 .chain = fit_chain(found.price.margin, found.time.margin, steps, options.seed)};
  return found;
}

PriceHistory generate_prices(const PriceModel& model, const GenerateOptions& options) {
  if (options.length <= Duration{} && options.changes == 0)
    throw UsageError("a generated history without length", "give a time above 0");
  DrawnPrices draw(model, options);
  std::vector<PricePoint> points;
  Time now = options.begin;
  const Time end = options.begin + options.length;
  const bool by_length = options.length > Duration{};
  for (std::size_t drawn = 0; by_length ? now < end : drawn < options.changes; ++drawn) {
    if (drawn == most_generated) {
      throw UsageError(fmt::format("that takes more than {} changes of price", most_generated),
                       "generate a shorter time");
    }
    const DrawnPrices::Step step = draw.next();
    if (points.empty() || points.back().per_hour != step.per_hour) points.push_back({now, step.per_hour});
    now += step.lasts;
  }
  return {model.market, std::move(points), by_length ? end : now};
}

}  // namespace wavewright
