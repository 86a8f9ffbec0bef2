// `wavewright prices fit FILE`: a model of the price, and whether it holds.
#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/commands/prices.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/prices/fit_check.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

constexpr std::size_t rate_histories = 50;

struct FitFlags {
  PriceFlags prices;
  PriceModelFlags model;
  Count drawn = 199;
  double held_back = 0.3;
};

struct Fitted {
  PriceModelFit fit;
  FitCheck check;
  std::vector<Money> bids;
  std::vector<BidRisk> seen;
  std::vector<DrawnRates> drawn, independent;
};

Json mixture_json(const MarginFit& found) {
  const Margin& margin = found.margin;
  Json json = {{"scale", to_string(margin.scale)},
               {"step", margin.step},
               {"log_likelihood", found.fit.log_likelihood},
               {"bic", found.fit.bic},
               {"components", Json::array()},
               {"tried", Json::array()}};
  for (const Gaussian& each : margin.mixture.components)
    json["components"].push_back(
        {{"weight", each.weight}, {"mean", each.mean}, {"deviation", each.deviation}});
  for (const auto& each : found.tried)
    json["tried"].push_back(
        {{"components", each.components}, {"log_likelihood", each.log_likelihood}, {"bic", each.bic}});
  return json;
}

Json to_json(const DistanceCheck& check) {
  return {{"distance", check.distance},
          {"usual_distance", check.usual},
          {"p", check.p},
          {"drawn", check.drawn},
          {"values", check.values}};
}

Json to_json(const PriceHistory& history, const Fitted& found) {
  const PriceChain& chain = found.fit.model.chain;
  Json json = {{"market", market_json(history.market())},
               {"changes", found.fit.model.changes},
               {"price", mixture_json(found.fit.price)},
               {"time", mixture_json(found.fit.time)},
               {"states", chain.ends.size()},
               {"price_correlation", chain.correlation},
               {"time_correlation", chain.time_correlation},
               {"time_factor", chain.time_factor},
               {"checks",
                {{"price", to_json(found.check.price)},
                 {"time", to_json(found.check.time)},
                 {"held_back_price", to_json(found.check.held_price)},
                 {"held_back_time", to_json(found.check.held_time)}}},
               {"revocations", Json::array()}};
  for (std::size_t i = 0; i < found.bids.size(); ++i) {
    json["revocations"].push_back({{"bid_usd", to_usd(found.bids[i])},
                                   {"history_per_day", found.seen[i].revocations_per_day()},
                                   {"drawn_per_day", to_json(found.drawn[i])},
                                   {"independent_per_day", to_json(found.independent[i])}});
  }
  return json;
}

// A component in the unit of what it describes: median, and the range of two thirds.
std::vector<Cell> component_row(const std::string& what, const Margin& margin, const Gaussian& each,
                                bool price) {
  const auto text = [&](double scaled) {
    const double value =
        std::max(0.0, margin.scale == MixtureScale::log ? std::exp(std::min(scaled, 40.0)) : scaled);
    if (price) return price_text(Money{std::llround(value)});
    constexpr double second = 1000;
    return format_duration(ms(std::llround(value / second) * 1000));
  };
  return {what, fmt::format("{:.1f} %", 100 * each.weight), text(each.mean),
          fmt::format("{} to {}", text(each.mean - each.deviation), text(each.mean + each.deviation))};
}

void show_components(const Fitted& found) {
  Table table{{{"of", "mixture"},
               {"weight", "weight", true},
               {"middle", "middle", true},
               {"range", "± 1 deviation", true}},
              {}};
  for (const Gaussian& each : found.fit.price.margin.mixture.components)
    table.rows.push_back(component_row("price", found.fit.price.margin, each, true));
  for (const Gaussian& each : found.fit.time.margin.mixture.components)
    table.rows.push_back(component_row("time", found.fit.time.margin, each, false));
  write_table(std::cout, table);
}

void show_checks(const FitCheck& check) {
  Table table{{{"check", "check"},
               {"values", "values", true},
               {"distance", "distance", true},
               {"usual", "usual", true},
               {"p", "p", true},
               {"verdict", "verdict"}},
              {}};
  constexpr double level = 0.05;
  const auto add = [&](const std::string& what, const DistanceCheck& each) {
    table.rows.push_back({what, count_cell(each.values), fmt::format("{:.4f}", each.distance),
                          fmt::format("{:.4f}", each.usual), fmt::format("{:.3f}", each.p),
                          each.drawn == 0        ? std::string("not tested")
                          : each.rejected(level) ? "rejected at 5 %"
                                                 : "not rejected"});
  };
  add("price, fitted", check.price);
  add("time, fitted", check.time);
  add("price, held back", check.held_price);
  add("time, held back", check.held_time);
  write_table(std::cout, table);
}

void show_rates(const Fitted& found) {
  Table table{{{"bid_usd", "bid", true},
               {"history", "history", true},
               {"drawn", "drawn (middle 90 %)", true},
               {"independent", "independent draws", true}},
              {}};
  for (std::size_t i = 0; i < found.bids.size(); ++i) {
    const auto text = [](const DrawnRates& rates) {
      return fmt::format("{:.2f} ({:.2f} to {:.2f})", rates.mean, rates.low, rates.high);
    };
    table.rows.push_back({price_text(found.bids[i]),
                          fmt::format("{:.2f}", found.seen[i].revocations_per_day()), text(found.drawn[i]),
                          text(found.independent[i])});
  }
  write_table(std::cout, table);
}

int run_fit(const FitFlags& flags, const Context& context) {
  const PriceFile file = flags.prices.read(context);
  const PriceHistory& history = only_history(file);
  const PriceModelOptions how = flags.model.options(flags.prices.gap(), context.seed);
  Fitted found;
  found.fit = fit_price_model(history, how);
  context.ends_itself = true;
  found.check = check_fit(history, found.fit.model,
                          {.model = how,
                           .held_back = flags.held_back,
                           .drawn = flags.drawn,
                           .seed = context.seed,
                           .stop = Stop({}, &context.interrupted)});
  found.bids = bids_or_usual({}, history);
  for (const Money bid : found.bids) found.seen.push_back(risk_at(history, bid));
  found.drawn = drawn_rates(found.fit.model, history, found.bids, rate_histories, false, context.seed);
  found.independent = drawn_rates(found.fit.model, history, found.bids, rate_histories, true, context.seed);
  const bool partial = context.interrupted;
  if (context.json) {
    Json document = to_json(history, found);
    if (partial) document["partial"] = true;
    context.print(document);
  } else {
    std::cout << fmt::format("{}: {} changes, {} states\n\n", harmless(history.market().text()),
                             found.fit.model.changes, found.fit.model.chain.ends.size());
    show_components(found);
    std::cout << "\nKolmogorov's distance, against histories drawn from the model:\n";
    show_checks(found.check);
    std::cout << "\nrevocations a day:\n";
    show_rates(found);
  }
  return static_cast<int>(partial ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace

void add_prices_fit(CLI::App& prices, Context& context) {
  CLI::App* command = prices.add_subcommand("fit", "Fit a model to a price history, and test it");
  command->footer("Example: wavewright prices fit prices.json --type m3.medium --zone us-east-1a");
  const auto flags = std::make_shared<FitFlags>();
  flags->prices.declare(*command, "file", "prices: JSON of describe-spot-price-history, or CSV");
  flags->model.declare(*command);
  constexpr std::uint64_t most = 100'000;
  command->add_option("--drawn", flags->drawn, "histories drawn for the test (199)")
      ->type_name("N")
      ->check(whole_number(0, most));
  command->add_option("--held-back", flags->held_back, "share of the changes, the latest, held back (0.3)")
      ->type_name("SHARE");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_fit(*flags, context); }; });
}

}  // namespace wavewright::app
