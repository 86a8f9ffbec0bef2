// `wavewright machines rent|list|release|reconcile`: machines rented from a cloud, each accounted for.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "apps/commands/machine_order.h"
#include "apps/commands/machines_view.h"
#include "apps/commands/rented_machines.h"
#include "apps/context.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

constexpr Duration least_watch = ms(100);

struct Options {
  CloudOptions cloud;
  std::string batch = "machines";
  // rent
  MachineOrderOptions order;
  std::string order_file;
  bool dry_run = false, no_wait = false;
  // release and reconcile
  std::vector<std::string> ids;
  bool all = false, of_batch = false;
  std::string watch;
};

void show(const Context& context, const Books& books, bool dry_run, const std::vector<std::string>& notes) {
  const Time now = now_instant();
  if (context.json)
    context.print(machines_document(books, now, dry_run, notes));
  else
    print_machines(books, now);
}

int rent(const Context& context, const Options& given) {
  Options options = given;
  if (!options.order_file.empty()) {
    const MachineOrderFile file = read_machine_order(options.order_file);
    options.order = file.order;
    options.cloud = cloud_of(file, options.cloud);
    if (!options.of_batch && !file.batch.empty()) options.batch = file.batch;
  }
  const RentOrder order = order_of(options.order, options.batch, now_instant());
  if (options.dry_run) {
    Books books = books_of(context);
    place_within(books, order, options.order.budget);
    show(context, books, true, {});
    return 0;
  }
  const Store store = Store::open(context.store_url(), Store::Access::create);
  LedgerStore ledger(store);
  context.ends_itself = true;
  std::vector<std::string> notes;
  const RentOutcome outcome =
      rent_machines(context, ledger, options.cloud, order,
                    {.budget = options.order.budget, .wait = !options.no_wait}, notes);
  if (outcome.up + outcome.coming == 0)
    throw ExternalError({}, outcome.shortfall(order.count), "see 'wavewright machines list --all'");
  show(context, ledger.read(false), false, notes);
  const std::string shortfall = outcome.shortfall(order.count);
  if (shortfall.empty()) return 0;
  throw ExternalError({}, shortfall, "rent others, or give these back with 'wavewright machines release'");
}

int list(const Context& context, const Options& options) {
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  show(context, LedgerStore(store).read(options.all), false, {});
  return 0;
}

// Gives back what the options name. Throws UsageError if one is not there.
void give_back_chosen(Books& books, const Options& options) {
  std::set<std::string> left(options.ids.begin(), options.ids.end());
  for (RentOrder& order : books.orders) {
    const bool whole =
        options.all || (options.of_batch && order.batch == options.batch) || left.erase(order.token) > 0;
    if (whole) give_back(order, "given back");
    for (RentedMachine& machine : order.machines) {
      if (left.erase(machine.id) == 0) continue;
      machine.give_back = true;
      if (machine.state < MachineState::terminating) machine.reason = "given back";
    }
  }
  if (!left.empty())
    throw UsageError(fmt::format("no machine or order '{}' is rented", *left.begin()),
                     "see 'wavewright machines list'");
}

int release(const Context& context, const Options& options) {
  if (options.ids.empty() && !options.all && !options.of_batch)
    throw UsageError("it is not said what to give back", "name machines, --batch NAME or --all");
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  LedgerStore ledger(store);
  if (options.dry_run) {
    Books books = ledger.read(false);
    give_back_chosen(books, options);
    show(context, books, true, {});
    return 0;
  }
  context.ends_itself = true;
  ledger.change({}, [&](Books& books) { give_back_chosen(books, options); });
  std::vector<std::string> notes;
  end_machines(context, ledger, options.cloud, !options.no_wait, notes);
  show(context, ledger.read(false), false, notes);
  return 0;
}

int reconcile(const Context& context, const Options& options) {
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  LedgerStore ledger(store);
  context.ends_itself = true;
  Everywhere everywhere(context, options.cloud, ledger);
  std::vector<std::string> notes;
  const Duration every = options.watch.empty() ? Duration{} : parse_duration(options.watch);
  for (;;) {
    try {
      const StepReport report = everywhere.step(notes);
      if (options.watch.empty()) {
        show(context, ledger.read(false), false, notes);
        if (report.missing + report.leaving + report.unsettled > 0)
          context.note(
              fmt::format("{} machines are coming, {} ending, {} requests unsettled: look again soon",
                          report.missing, report.leaving, report.unsettled));
        return 0;
      }
    } catch (const CloudError& error) {
      if (options.watch.empty() || error.failure() == CloudFailure::denied) throw;
      context.note(error.what());
    }
    notes.clear();
    wait_for(std::max(every, least_watch), &context.interrupted);
  }
}

void add_rent(CLI::App& machines, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* rent_command =
      machines.add_subcommand("rent", "Rent machines within a budget, for a stated time");
  rent_command->footer(
      "Example: wavewright machines rent --type m5.large --image ami-0abcdef1234567890 --count 3 --bid 0.05 "
      "--budget 2.00 --for 2h");
  options->order.declare(*rent_command);
  CLI::Option* const file =
      rent_command
          ->add_option("--order", options->order_file, "order file: a key for each of the flags above")
          ->type_name("FILE");
  for (CLI::Option* const flag : rent_command->get_options()) {
    if (flag != file && flag != rent_command->get_help_ptr()) file->excludes(flag);
  }
  CLI::Option* const batch =
      rent_command->add_option("--batch", options->batch, "whose budget it is (default: machines)")
          ->type_name("NAME");
  rent_command->add_flag("--no-wait", options->no_wait, "do not wait until they are up");
  rent_command->add_flag("--dry-run", options->dry_run,
                         "say what would be asked and what it may cost; ask nothing");
  options->cloud.declare(*rent_command);
  rent_command->callback([&context, options, batch] {
    options->of_batch = batch->count() > 0;
    context.run = [&context, options] { return rent(context, *options); };
  });
}

void add_release(CLI::App& machines, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      machines.add_subcommand("release", "Give machines back, and wait until they have ended");
  command->footer("Example: wavewright machines release --all");
  command->add_option("ID", options->ids, "machines or orders, as 'machines list' names them");
  CLI::Option* const batch =
      command->add_option("--batch", options->batch, "all machines of that batch")->type_name("NAME");
  command->add_flag("--all", options->all, "all machines");
  command->add_flag("--no-wait", options->no_wait, "do not wait until they have ended");
  command->add_flag("--dry-run", options->dry_run, "say what would be given back, change nothing");
  options->cloud.declare(*command);
  command->callback([&context, options, batch] {
    options->of_batch = batch->count() > 0;
    context.run = [&context, options] { return release(context, *options); };
  });
}

}  // namespace

void add_machines(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("machines", "Machines rented from a cloud, within a budget");
  command->require_subcommand(1);
  command->footer("Example: wavewright machines list");
  add_rent(*command, context);
  const auto listed = std::make_shared<Options>();
  CLI::App* shown =
      command->add_subcommand("list", "Machines that are rented, and what is left of each budget");
  shown->footer("Example: wavewright machines list --all");
  shown->add_flag("--all", listed->all, "those that have ended, too");
  shown->callback(
      [&context, listed] { context.run = [&context, listed] { return list(context, *listed); }; });
  add_release(*command, context);
  const auto options = std::make_shared<Options>();
  CLI::App* again = command->add_subcommand(
      "reconcile", "Make the cloud what the ledger says: adopt, ask again, end leftovers");
  again->footer("Example: wavewright machines reconcile --watch 30s");
  again->add_option("--watch", options->watch, "do it again and again, until Ctrl-C")->type_name("DURATION");
  options->cloud.declare(*again);
  again->callback(
      [&context, options] { context.run = [&context, options] { return reconcile(context, *options); }; });
}

}  // namespace wavewright::app
