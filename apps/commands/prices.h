// The subcommands of `wavewright prices`.
#pragma once

#include <string>
#include <vector>

#include "apps/commands/price_input.h"
#include "apps/context.h"
#include "wavewright/cloud/prices/price_model.h"
#include "wavewright/cloud/prices/price_risk.h"

namespace wavewright::app {

void add_prices_show(CLI::App& prices, Context& context);
void add_prices_fit(CLI::App& prices, Context& context);
void add_prices_generate(CLI::App& prices, Context& context);
void add_prices_risk(CLI::App& prices, Context& context);

// Flags of a model, shared by `fit`, `generate` and `risk`.
struct PriceModelFlags {
  std::string scale = "log";
  std::size_t components = 0;

  void declare(CLI::App& command);
  [[nodiscard]] PriceModelOptions options(Duration longest_gap, std::uint64_t seed) const;
};

// A bid in USD an hour. Throws UsageError.
[[nodiscard]] Money parse_bid(const std::string& text);
// The given bids, or those at 50, 75, 90, 95 and 99 % of the time.
[[nodiscard]] std::vector<Money> bids_or_usual(const std::vector<std::string>& given,
                                               const PriceHistory& history);

[[nodiscard]] std::string price_text(Money price);  // `0.0081`
[[nodiscard]] Json market_json(const Market& market);
[[nodiscard]] Json to_json(const BidRisk& risk);

// The mean and the middle 90 % of the revocations a day in `count` histories drawn from the model.
struct DrawnRates {
  double mean = 0, low = 0, high = 0;
};
[[nodiscard]] std::vector<DrawnRates> drawn_rates(const PriceModel& model, const PriceHistory& history,
                                                  const std::vector<Money>& bids, std::size_t count,
                                                  bool independent, std::uint64_t seed);
[[nodiscard]] Json to_json(const DrawnRates& rates);

}  // namespace wavewright::app
