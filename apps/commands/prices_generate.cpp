// `wavewright prices generate --from FILE --days N`: a history like another one.
#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/commands/prices.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright::app {

namespace {

struct GenerateFlags {
  PriceFlags prices;
  PriceModelFlags model;
  double days = 0;
  bool independent = false;
  std::string out = "-";
};

void write_as(std::ostream& out, const std::string& name, const PriceHistory& history) {
  if (name.ends_with(".json")) return write_prices_json(out, history);
  if (name.ends_with(".toml")) return write_prices_toml(out, history);
  write_prices_csv(out, history);
}

int run_generate(const GenerateFlags& flags, const Context& context) {
  constexpr double most_days = 36'500;
  if (!(flags.days > 0 && flags.days <= most_days))
    throw UsageError(fmt::format("--days {:g} is not above 0 and at most {:g}", flags.days, most_days),
                     "give a number like 30");
  const bool to_file = flags.out != "-";
  if (to_file && !flags.out.ends_with(".csv") && !flags.out.ends_with(".json") &&
      !flags.out.ends_with(".toml"))
    throw UsageError("--out '" + flags.out + "' is neither .csv nor .json nor .toml", "name it so");
  if (context.json && !to_file) throw UsageError("with --json the prices need a file", "give --out FILE.csv");
  check_outputs({flags.out}, {flags.prices.file});
  const PriceFile file = flags.prices.read(context);
  const PriceHistory& history = only_history(file);
  const PriceModel model =
      fit_price_model(history, flags.model.options(flags.prices.gap(), context.seed)).model;
  constexpr double ms_per_day = 86'400'000;
  const PriceHistory drawn =
      generate_prices(model, {.begin = history.end(),
                              .length = ms(std::max<std::int64_t>(1, std::llround(flags.days * ms_per_day))),
                              .independent = flags.independent,
                              .seed = context.seed});
  if (to_file) {
    write_file(flags.out, [&](std::ostream& out) { write_as(out, flags.out, drawn); });
  } else {
    write_as(std::cout, "", drawn);
  }
  const std::size_t changes = drawn.points().size() - 1;
  if (context.json) {
    context.print({{"market", market_json(drawn.market())},
                   {"from_ms", to_ms(drawn.begin())},
                   {"to_ms", to_ms(drawn.end())},
                   {"changes", changes},
                   {"mean_usd", drawn.mean_micro_usd() / static_cast<double>(micro_per_usd)},
                   {"independent", flags.independent},
                   {"seed", context.seed},
                   {"out", flags.out}});
  } else if (to_file) {
    context.note(fmt::format("{}: {} changes of price in {:g} days", flags.out, changes, flags.days));
  }
  return 0;
}

}  // namespace

void add_prices_generate(CLI::App& prices, Context& context) {
  CLI::App* command =
      prices.add_subcommand("generate", "A history like that of a file, drawn from its model");
  command->footer(
      "Example: wavewright prices generate --from prices.json --type m3.medium --days 30 --seed 7 --out "
      "drawn.csv");
  const auto flags = std::make_shared<GenerateFlags>();
  flags->prices.declare(*command, "--from", "prices: JSON of describe-spot-price-history, or CSV");
  command->get_option("--from")->required();
  command->add_option("--days", flags->days, "length of the drawn history")->required()->type_name("N");
  command
      ->add_option("--out", flags->out,
                   "file; .toml is the row 'spot' of a cluster file (CSV on standard output)")
      ->type_name("FILE.csv|FILE.json|FILE.toml");
  command->add_flag("--independent", flags->independent,
                    "each price by itself: keeps the distribution, not the revocations");
  flags->model.declare(*command);
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_generate(*flags, context); }; });
}

}  // namespace wavewright::app
