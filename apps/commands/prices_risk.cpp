// `wavewright prices risk FILE --bid X`: what a bid meets, in the history and in ones drawn from its model.
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/commands/prices.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

struct RiskFlags {
  PriceFlags prices;
  PriceModelFlags model;
  std::vector<std::string> bids;
  std::size_t drawn = 0;
};

std::string time_text(const std::optional<Duration>& time) {
  constexpr std::int64_t minute = 60'000;
  if (!time) return "none seen";
  return format_duration(to_ms(*time) > 10 * minute ? ms(to_ms(*time) / minute * minute) : *time);
}

int run_risk(const RiskFlags& flags, const Context& context) {
  const PriceFile file = flags.prices.read(context);
  const PriceHistory& history = only_history(file);
  if (history.length() == Duration{})
    throw InputError({flags.prices.file}, "one price is no history", "give a file with more rows");
  const std::vector<Money> bids = bids_or_usual(flags.bids, history);
  std::vector<DrawnRates> drawn;
  if (flags.drawn > 0) {
    const PriceModel model =
        fit_price_model(history, flags.model.options(flags.prices.gap(), context.seed)).model;
    drawn = drawn_rates(model, history, bids, flags.drawn, false, context.seed);
  }
  Json document = {{"market", market_json(history.market())},
                   {"observed_ms", to_ms(history.length())},
                   {"bids", Json::array()}};
  Table table{{{"bid_usd", "bid", true},
               {"available", "there", true},
               {"revocations", "revocations", true},
               {"revocations_per_day", "a day", true},
               {"interval", "95 % interval", true},
               {"mean_time_to_revocation_ms", "mean time to one", true},
               {"mean_price_usd", "mean price", true}},
              {}};
  if (!drawn.empty()) table.columns.push_back({"drawn", "drawn: a day", true});
  for (std::size_t i = 0; i < bids.size(); ++i) {
    const BidRisk risk = risk_at(history, bids[i]);
    const auto interval = risk.per_day_interval();
    document["bids"].push_back(to_json(risk));
    table.rows.push_back({price_text(risk.bid), fmt::format("{:.1f} %", 100 * risk.share_available()),
                          count_cell(risk.revocations), fmt::format("{:.2f}", risk.revocations_per_day()),
                          fmt::format("{:.2f} to {:.2f}", interval.low, interval.high),
                          time_text(risk.mean_time_to_revocation()),
                          price_text(from_usd(risk.price_micro_usd / static_cast<double>(micro_per_usd)))});
    if (drawn.empty()) continue;
    document["bids"].back()["drawn_per_day"] = to_json(drawn[i]);
    table.rows.back().push_back(
        fmt::format("{:.2f} ({:.2f} to {:.2f})", drawn[i].mean, drawn[i].low, drawn[i].high));
  }
  if (context.json) {
    context.print(document);
    return 0;
  }
  std::cout << fmt::format("{}, {}\n\n", harmless(history.market().text()),
                           format_duration(history.length()));
  write_table(std::cout, table);
  std::cout << "\nprices in USD an hour; a machine is there while the price is at most the bid\n";
  return 0;
}

}  // namespace

void add_prices_risk(CLI::App& prices, Context& context) {
  CLI::App* command = prices.add_subcommand("risk", "Revocations and price that a bid meets");
  command->footer("Example: wavewright prices risk prices.json --type m3.medium --bid 0.02 --bid 0.07");
  const auto flags = std::make_shared<RiskFlags>();
  flags->prices.declare(*command, "file", "prices: JSON of describe-spot-price-history, or CSV");
  command
      ->add_option("--bid", flags->bids,
                   "USD an hour; more than once if wanted (prices at 50 to 99 % of the time)")
      ->type_name("USD");
  constexpr std::uint64_t most = 10'000;
  command->add_option("--drawn", flags->drawn, "also in this many histories drawn from a model of it (0)")
      ->type_name("N")
      ->check(whole_number(0, most));
  flags->model.declare(*command);
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_risk(*flags, context); }; });
}

}  // namespace wavewright::app
