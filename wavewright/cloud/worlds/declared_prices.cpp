#include "wavewright/cloud/worlds/declared_prices.h"

#include <cmath>

#include "wavewright/cloud/prices/price_chain.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr std::int64_t price_step = 100;    // micro-dollars
constexpr std::int64_t time_step = 1000;    // ms
constexpr std::size_t states_as_of = 1600;  // changes: 16 equal states and the upper ones

[[noreturn]] void refuse(const std::string& what) {
  throw UsageError("declared prices: " + what, "correct the numbers");
}

// `unit`: of the medians, in that of the margin.
Mixture mixture_of(const std::vector<DeclaredPrices::Part>& parts, double unit) {
  if (parts.empty()) refuse("a mixture without parts");
  double sum = 0;
  for (const DeclaredPrices::Part& part : parts) {
    const bool fine = std::isfinite(part.weight) && part.weight > 0 && std::isfinite(part.median) &&
                      part.median > 0 && std::isfinite(part.factor) && part.factor > 1;
    if (!fine) refuse("a part needs a weight and a median above 0 and a factor above 1");
    sum += part.weight;
  }
  Mixture mixture;
  for (const DeclaredPrices::Part& part : parts)
    mixture.components.push_back({part.weight / sum, std::log(part.median * unit), std::log(part.factor)});
  std::stable_sort(mixture.components.begin(), mixture.components.end(),
                   [](const Gaussian& a, const Gaussian& b) { return a.mean < b.mean; });
  return mixture;
}

}  // namespace

PriceModel declared_price_model(const DeclaredPrices& declared) {
  constexpr double micro = 1e6, second_ms = 1000;
  constexpr std::int64_t month_ms = 30 * 86'400'000LL;
  if (!(declared.least_usd * micro >= price_step && declared.most_usd >= declared.least_usd &&
        declared.most_usd <= 1e6)) {
    refuse("the least and the most price are no range from 0.0001 to 1000000 USD");
  }
  if (!(declared.correlation >= 0 && declared.correlation < 1)) refuse("a correlation is from 0 to below 1");
  const auto steps = [](double usd) { return std::llround(usd * micro / price_step) * price_step; };
  PriceModel model;
  model.price = {.scale = MixtureScale::log,
                 .mixture = mixture_of(declared.prices, micro),
                 .step = price_step,
                 .least = steps(declared.least_usd),
                 .most = steps(declared.most_usd)};
  model.time = {.scale = MixtureScale::log,
                .mixture = mixture_of(declared.times, second_ms),
                .step = time_step,
                .least = time_step,
                .most = month_ms};
  model.changes = states_as_of;
  model.chain.ends = state_ends(states_as_of);
  model.chain.correlation = declared.correlation;
  model.chain.next = copula_rows(model.chain.ends, declared.correlation);
  model.chain.times.assign(model.chain.ends.size(), model.time.mixture);
  return model;
}

}  // namespace wavewright
