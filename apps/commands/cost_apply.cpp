#include "apps/commands/cost_apply.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/machines_view.h"
#include "apps/commands/run_rent.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/when.h"
#include "wavewright/report/documents/rental_document.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

constexpr Duration minute = ms(60'000);

std::string market_text(const RentalTerms& terms) {
  if (!terms.bid) return "on demand";
  const std::string spot = fmt::format("spot for {} USD", usd_text(*terms.bid));
  return terms.machines == "hybrid" ? spot + ", else on demand" : spot;
}

std::string kind_of(const RentOrder& order) {
  return harmless(order.group.empty() ? order.terms.type : order.group);
}

Money limit_of(const Books& books, const std::string& batch) {
  const auto found = std::find_if(books.budgets.begin(), books.budgets.end(),
                                  [&](const RentBudget& each) { return each.batch == batch; });
  return found == books.budgets.end() ? Money{} : found->limit;
}

void tell_order(const RentOrder& order, Money hourly, Json& told) {
  RentOrder dear = order;
  dear.hourly = hourly;
  told["type"] = order.terms.type.empty() ? Json(nullptr) : Json(order.terms.type);
  told["group"] = order.group.empty() ? Json(nullptr) : Json(order.group);
  told["bid_usd"] = order.terms.bid ? Json(to_usd(*order.terms.bid)) : Json(nullptr);
  told["hourly_usd"] = to_usd(hourly);
  told["for_ms"] = to_ms(order.until - order.asked);
  told["most_cost_usd"] = to_usd(most_cost(dear, order.asked));
}

}  // namespace

void CostApplyOptions::declare(CLI::App& command) {
  CLI::Option* const apply =
      command
          .add_option("--apply", order, "rent the machines of the answer, by this template of an order file")
          ->type_name("FILE.toml");
  command.add_option("--budget", budget, "most that the batch may ever spend, in USD (the template's)")
      ->type_name("USD")
      ->needs(apply);
  command.add_option("--batch", batch, "whose budget it is (the template's, or the workload's name)")
      ->type_name("NAME")
      ->needs(apply);
  command.add_option("--write-order", out, "write the completed order file")
      ->type_name("FILE.toml")
      ->needs(apply);
  command
      .add_flag("--dry-run", dry_run, "say what would be rented and what it may cost; ask the cloud nothing")
      ->needs(apply);
  cloud.declare(command);
  for (const char* flag : {"--region", "--profile", "--endpoint", "--ca-file", "--resource-manager"})
    command.get_option(flag)->needs(apply);
}

CostApply::CostApply(const Context& context, const CostApplyOptions& options, const std::string& workload,
                     const RentalQuestion& question)
    : context_(context),
      options_(options),
      question_(question),
      template_(read_order_template(options.order)),
      batch_(!options.batch.empty()     ? options.batch
             : !template_.batch.empty() ? template_.batch
             : workload == "-"          ? "batch"
                                        : std::filesystem::path(workload).stem().string()) {
  if (!options.budget.empty()) template_.order.budget = options.budget;
  check_template();
  if (!template_.order.budget.empty())
    (void)parse_usd("--budget", template_.order.budget);
  else if (limit_of(books_of(context), batch_) <= Money{})
    throw Infeasible(fmt::format("batch '{}' has no budget", batch_), "give it one with --budget");
}

// Refuses templates that cannot become an order whatever the answer is.
void CostApply::check_template() const {
  const MachineOrderOptions& order = template_.order;
  const bool emr = !order.emr_cluster.empty();
  const std::vector<const NodeGroup*> classes = classes_for_rent(question_.cluster);
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw InputError({options_.order}, what, remedy);
  };
  if (classes.size() > 1 && (emr || !order.type.empty() || !order.price.empty()))
    refuse(
        fmt::format("it is of one type of machine, and the cluster file has {} classes for rent",
                    classes.size()),
        emr ? "leave one class for rent" : "leave 'type' and 'price' out: the name of the class is the type");
  for (const NodeGroup* const each : classes) {
    const Money hourly = from_usd(each->price_per_hour);
    if (hourly <= Money{})
      throw UsageError(fmt::format("class '{}' for rent has no price_per_hour", each->node_class),
                       "give it one in the cluster file: the budget is reckoned by it");
    if (!order.price.empty() && parse_usd("price", order.price) != hourly)
      refuse(fmt::format("price {} is not the {} of class '{}' in the cluster file", order.price,
                         usd_text(hourly), each->node_class),
             "make them equal, or leave 'price' out");
    if (!emr && order.type.empty() && each->node_class == NodeGroup().node_class)
      refuse("no type is named, and the class of the cluster file has no name",
             "give it 'type', or the class the name of the type");
    (void)order_of(completed({"on-demand", {}, each->node_class, hourly}, 1, minute).order, batch_,
                   now_instant());
  }
  for (const RentalOption& option : question_.options) {
    const RentalTerms terms = terms_of(option, question_.cluster, *question_.registry);
    if (emr && terms.bid)
      throw UsageError(fmt::format("{} rents spot machines, and a group of EMR has its own bid", option.spec),
                       "compare machines on demand only: --machines on-demand");
  }
}

MachineOrderFile CostApply::completed(const RentalTerms& terms, Count machines, Duration length) const {
  MachineOrderFile file = template_;
  MachineOrderOptions& order = file.order;
  if (order.emr_cluster.empty() && order.type.empty()) order.type = terms.node_class;
  order.count = machines;
  order.price = terms.bid ? "" : usd_text(terms.on_demand);
  order.bid = terms.bid ? usd_text(*terms.bid) : "";
  if (order.length.empty()) order.length = format_duration(length);
  return file;
}

void CostApply::apply(const RentalFigures& best, Json& document, AppliedRental& shown) const {
  Json& told = document["apply"];
  told = {{"dry_run", options_.dry_run}, {"batch", batch_}, {"machines", best.most_machines}};
  shown.dry_run = options_.dry_run;
  shown.batch = batch_;
  shown.machines = best.most_machines;
  if (best.most_machines == 0) {
    if (!context_.json) std::cout << "the answer rents no machines: nothing is asked for\n";
    return;
  }
  const RentalTerms terms = terms_of(best.option, question_.cluster, *question_.registry);
  const RentalFigures together =
      simulate_option(question_, rented_together(terms, best.most_machines, question_.cluster),
                      Stop(std::nullopt, &context_.interrupted));
  if (together.runs < question_.seeds.size()) throw Interrupted();
  told["together"] = rental_figures_json(together);
  shown.together = together;
  const Duration least = std::max(minute, std::max(best.longest_span, together.longest_span));
  const Duration needed = (least + minute - ms(1)) / minute * minute;
  if (!context_.json)
    std::cout << fmt::format("\n{} at once at most, needed for {}; rented together: {}, {} tardy\n",
                             report::counted(best.most_machines, "machine"), format_duration(needed),
                             report::money_text(together.cost_usd.mean),
                             report::probability_text(together.tardy.mean));
  check_answer(best, together, needed);
  const MachineOrderFile file = completed(terms, best.most_machines, needed);
  const RentOrder order = order_of(file.order, batch_, now_instant());
  const bool hybrid = terms.machines == "hybrid";
  const RentWays ways{.budget = file.order.budget,
                      .once = true,
                      .on_demand = hybrid ? std::optional(terms.on_demand) : std::nullopt};
  told["market"] = terms.machines;
  shown.what = kind_of(order) + ", " + market_text(terms);
  shown.length = order.until - order.asked;
  tell_order(order, hybrid ? std::max(order.hourly, terms.on_demand) : order.hourly, told);
  shown.most_usd = told["most_cost_usd"].get<double>();
  if (!options_.out.empty())
    write_file(options_.out, [&](std::ostream& out) {
      out << to_toml(file, std::filesystem::path(options_.out).parent_path(),
                     hybrid ? fmt::format("hybrid: where the spot price is above the bid, price = {} instead",
                                          usd_text(terms.on_demand))
                            : "");
    });
  // The budget is asked before the cloud is.
  Books books = books_of(context_, true);
  RentOrder entered = order;
  told["taken_up"] = enter(books, entered, ways);
  told["budget_usd"] = to_usd(limit_of(books, batch_));
  shown.budget_usd = told["budget_usd"].get<double>();
  if (options_.dry_run) return print_plan(entered, terms, told);
  rent(order, ways, file, told);
}

void CostApply::check_answer(const RentalFigures& best, const RentalFigures& together,
                             Duration needed) const {
  if (!together.meets)
    throw Infeasible(
        fmt::format("rented together, {} leave{} {} of the jobs tardy, and the limit is {}",
                    report::counted(best.most_machines, "machine"), best.most_machines == 1 ? "s" : "",
                    report::probability_text(together.tardy.mean),
                    report::probability_text(question_.late_at_most)),
        "nothing is rented; raise --late-at-most, or rent more with 'wavewright machines rent'");
  if (best.most_machines > most_machines)
    throw Infeasible(fmt::format("the answer needs {} machines at once, and an order has at most {}",
                                 best.most_machines, most_machines),
                     "name policies that take fewer: most=");
  if (!template_.order.length.empty() && parse_duration(template_.order.length) < needed)
    throw Infeasible(fmt::format("the template rents for {}, and the answer needs {}", template_.order.length,
                                 format_duration(needed)),
                     "raise 'for', or leave it out");
}

void CostApply::print_plan(const RentOrder& order, const RentalTerms& terms, const Json& told) const {
  if (context_.json) return;
  if (told["taken_up"].get<bool>()) {
    std::cout << fmt::format("batch '{}' has them already: {} x {} until {}; nothing more would be rented\n",
                             harmless(batch_), order.count, kind_of(order), format_instant(order.until));
    return;
  }
  std::cout << fmt::format("would rent {} x {} for {}, {}, at {} USD an hour at most: {} of {} USD\n",
                           order.count, kind_of(order), format_duration(order.until - order.asked),
                           market_text(terms), told["hourly_usd"].get<double>(),
                           told["most_cost_usd"].get<double>(), told["budget_usd"].get<double>());
}

void CostApply::rent(const RentOrder& order, const RentWays& ways, const MachineOrderFile& file,
                     Json& told) const {
  std::cout.flush();
  const Store store = Store::open(context_.store_url(), Store::Access::create);
  LedgerStore ledger(store);
  std::vector<std::string> notes;
  RentOutcome outcome;
  try {
    outcome = rent_machines(context_, ledger, cloud_of(file, options_.cloud), order, ways, notes);
  } catch (const Interrupted&) {
    tell_that_machines_stay(context_, batch_);
    throw;
  }
  told["taken_up"] = outcome.taken_up;
  tell_order(outcome.order, outcome.order.hourly, told);
  told["until_ms"] = to_ms(outcome.order.until);
  told["up"] = outcome.up;
  told["notes"] = notes;
  const std::string shortfall = outcome.shortfall(order.count);
  if (!context_.json) {
    Books books = ledger.read(false);
    std::erase_if(books.orders, [&](const RentOrder& each) { return each.batch != batch_; });
    std::erase_if(books.budgets, [&](const RentBudget& each) { return each.batch != batch_; });
    if (outcome.taken_up)
      std::cout << fmt::format("batch '{}' had them already: nothing more is rented\n", harmless(batch_));
    print_machines(books, now_instant());
  }
  if (shortfall.empty()) return;
  throw ExternalError({}, shortfall, "see 'wavewright machines list --all'");
}

}  // namespace wavewright::app
