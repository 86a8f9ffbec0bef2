// `wavewright prices show FILE`: what a price file holds, and a picture of it.
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/commands/prices.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/when.h"
#include "wavewright/report/charts/price_chart.h"

namespace wavewright::app {

namespace {

struct ShowFlags {
  PriceFlags prices;
  std::string out;
};

Json to_json(const PriceHistory& history) {
  Json json = market_json(history.market());
  json["changes"] = history.without_repeats().points().size() - 1;
  json["from_ms"] = to_ms(history.begin());
  json["to_ms"] = to_ms(history.end());
  json["least_usd"] = to_usd(history.quantile(0));
  json["median_usd"] = to_usd(history.quantile(0.5));
  json["p95_usd"] = to_usd(history.quantile(0.95));
  json["most_usd"] = to_usd(history.quantile(1));
  json["mean_usd"] = history.mean_micro_usd() / static_cast<double>(micro_per_usd);
  return json;
}

void show_table(const PriceFile& file) {
  Table table{{{"instance_type", "type"},
               {"zone", "zone"},
               {"product", "product", false, true},
               {"from_ms", "from"},
               {"days", "days", true},
               {"changes", "changes", true},
               {"median_usd", "median", true},
               {"mean_usd", "mean", true},
               {"p95_usd", "95 %", true},
               {"most_usd", "most", true}},
              {}};
  for (const PriceHistory& each : file.histories) {
    table.rows.push_back({each.market().instance_type, each.market().zone, each.market().product,
                          format_instant(each.begin()),
                          fmt::format("{:.1f}", static_cast<double>(to_ms(each.length())) / 86'400'000),
                          count_cell(static_cast<Count>(each.without_repeats().points().size()) - 1),
                          price_text(each.quantile(0.5)),
                          price_text(from_usd(each.mean_micro_usd() / static_cast<double>(micro_per_usd))),
                          price_text(each.quantile(0.95)), price_text(each.quantile(1))});
  }
  write_table(std::cout, table);
  std::cout << "\nprices in USD an hour; shares are of the time\n";
}

void draw(const std::string& out, const PriceHistory& history) {
  const bool page = out.ends_with(".html");
  std::vector<BidRisk> risks;
  for (const Money bid : bids_or_usual({}, history)) risks.push_back(risk_at(history, bid));
  const std::string text = page ? price_page(history, risks) : price_svg(history);
  write_file(out, [&](std::ostream& stream) { stream << text; });
}

int run_show(const ShowFlags& flags, const Context& context) {
  if (!flags.out.empty() && !flags.out.ends_with(".svg") && !flags.out.ends_with(".html"))
    throw UsageError("--out '" + flags.out + "' is neither .html nor .svg", "name it so");
  check_outputs({flags.out}, {flags.prices.file});
  const PriceFile file = flags.prices.read(context);
  if (!flags.out.empty()) draw(flags.out, only_history(file));
  if (!context.json) {
    show_table(file);
    return 0;
  }
  Json document = {{"rows", file.rows}, {"notes", file.notes}, {"histories", Json::array()}};
  for (const PriceHistory& each : file.histories) document["histories"].push_back(to_json(each));
  context.print(document);
  return 0;
}

}  // namespace

void add_prices_show(CLI::App& prices, Context& context) {
  CLI::App* command = prices.add_subcommand("show", "What a price file holds, a row for each market");
  command->footer("Example: wavewright prices show prices.json --type m3.medium --out prices.html");
  const auto flags = std::make_shared<ShowFlags>();
  flags->prices.declare(*command, "file", "prices: JSON of describe-spot-price-history, or CSV");
  command->add_option("--out", flags->out, "a picture of the price of one market over time")
      ->type_name("FILE.html|FILE.svg");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_show(*flags, context); }; });
}

}  // namespace wavewright::app
