// `wavewright prices`: histories of spot prices; what they are like, a model of them, and what a bid meets.
#include "apps/commands/prices.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

void PriceModelFlags::declare(CLI::App& command) {
  constexpr std::uint64_t most_components = 20;
  command.add_option("--components", components, "Gaussians of each mixture (chosen by BIC, up to 8)")
      ->type_name("K")
      ->check(whole_number(1, most_components));
  offer(command.add_option("--scale", scale, "log (of logarithms) or linear (as the paper's reference)")
            ->type_name("SCALE"),
        {"log", "linear"});
}

PriceModelOptions PriceModelFlags::options(Duration longest_gap, std::uint64_t seed) const {
  return {.scale = parse_mixture_scale(scale),
          .components = components,
          .longest_gap = longest_gap,
          .seed = seed};
}

Money parse_bid(const std::string& text) {
  double usd = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), usd);
  constexpr double most = 10'000;
  if (error != std::errc{} || end != text.data() + text.size() || !(usd >= 0 && usd <= most))
    throw UsageError(fmt::format("'{}' is no bid", text), "give USD an hour, like 0.02");
  return from_usd(usd);
}

std::vector<Money> bids_or_usual(const std::vector<std::string>& given, const PriceHistory& history) {
  if (given.empty()) return bids_at(history, std::vector{0.5, 0.75, 0.9, 0.95, 0.99});
  std::vector<Money> bids;
  bids.reserve(given.size());
  for (const std::string& text : given) bids.push_back(parse_bid(text));
  std::sort(bids.begin(), bids.end());
  return bids;
}

std::string price_text(Money price) {
  std::string text = fmt::format("{:.6f}", to_usd(price));
  constexpr std::size_t fewest_decimals = 4;
  while (text.back() == '0' && text.size() - text.find('.') > fewest_decimals + 1) text.pop_back();
  return text;
}

Json market_json(const Market& market) {
  return {{"instance_type", market.instance_type}, {"zone", market.zone}, {"product", market.product}};
}

Json to_json(const BidRisk& risk) {
  const auto interval = risk.per_day_interval();
  const auto mean = risk.mean_time_to_revocation();
  return {{"bid_usd", to_usd(risk.bid)},
          {"revocations", risk.revocations},
          {"revocations_per_day", risk.revocations_per_day()},
          {"per_day_low", interval.low},
          {"per_day_high", interval.high},
          {"mean_time_to_revocation_ms", mean ? Json(to_ms(*mean)) : Json(nullptr)},
          {"available", risk.share_available()},
          {"mean_price_usd", risk.price_micro_usd / static_cast<double>(micro_per_usd)}};
}

std::vector<DrawnRates> drawn_rates(const PriceModel& model, const PriceHistory& history,
                                    const std::vector<Money>& bids, std::size_t count, bool independent,
                                    std::uint64_t seed) {
  std::vector<std::vector<double>> rates(bids.size());
  for (std::size_t i = 0; i < count; ++i) {
    const PriceHistory drawn = generate_prices(
        model, {.length = history.length(), .independent = independent, .seed = seed, .number = i + 1});
    for (std::size_t b = 0; b < bids.size(); ++b)
      rates[b].push_back(risk_at(drawn, bids[b]).revocations_per_day());
  }
  std::vector<DrawnRates> summed;
  for (std::vector<double>& each : rates) {
    std::sort(each.begin(), each.end());
    double sum = 0;
    for (const double rate : each) sum += rate;
    const auto at = [&](double share) {
      return each[static_cast<std::size_t>(std::llround(share * static_cast<double>(each.size() - 1)))];
    };
    summed.push_back({sum / static_cast<double>(each.size()), at(0.05), at(0.95)});
  }
  return summed;
}

Json to_json(const DrawnRates& rates) {
  return {{"mean", rates.mean}, {"p5", rates.low}, {"p95", rates.high}};
}

void add_prices(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("prices", "Histories of spot prices: read, fit, generate, risk of a bid");
  command->require_subcommand(1);
  command->footer("Example: wavewright prices risk prices.json --type m3.medium --bid 0.02");
  add_prices_show(*command, context);
  add_prices_fit(*command, context);
  add_prices_generate(*command, context);
  add_prices_risk(*command, context);
}

}  // namespace wavewright::app
