// `wavewright machines rent|list|release|reconcile`: machines rented from a cloud, each accounted for.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "apps/commands/machines_cloud.h"
#include "apps/commands/machines_view.h"
#include "apps/context.h"
#include "apps/progress.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/provision/ledger_store.h"
#include "wavewright/cloud/provision/rent_token.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

constexpr Duration until_check = ms(60'000);
constexpr Duration least_watch = ms(100);

// Between looks at machines that come or go: short at first, for a cloud that is quick.
class Waits {
 public:
  void wait(const Context& context) {
    wait_for(next_, &context.interrupted);
    next_ = std::min(2 * next_, longest);
  }

 private:
  static constexpr Duration longest = ms(8'000);
  Duration next_ = ms(500);
};

struct Options {
  CloudOptions cloud;
  std::string batch = "machines";
  // rent
  std::string type, image, subnet, key_name, user_data, bid, price, budget, length, emr_cluster,
      instance_group;
  std::string boot = "10min";
  std::int64_t count = 1;
  int attempts = 3;
  bool dry_run = false, no_wait = false;
  // release and reconcile
  std::vector<std::string> ids;
  bool all = false, of_batch = false;
  std::string watch;
};

std::string group_of(const Options& options) {
  return options.emr_cluster.empty() ? "" : options.emr_cluster + "/" + options.instance_group;
}

void check(const Options& options) {
  const bool emr = !options.emr_cluster.empty();
  if (emr != !options.instance_group.empty())
    throw UsageError("--emr-cluster and --instance-group go together", "give both, or neither");
  if (emr && (!options.bid.empty() || !options.image.empty() || !options.user_data.empty()))
    throw UsageError("a group of EMR has its image and its bid already",
                     "leave out --image, --bid and --user-data");
  if (!emr && (options.type.empty() || options.image.empty()))
    throw UsageError("no kind of machine is named",
                     "name --type and --image, or --emr-cluster and --instance-group");
  if (options.bid.empty() == options.price.empty())
    throw UsageError("the most that an hour may cost is not said once",
                     "give --bid for spot machines, or --price, what an hour costs on demand");
}

RentOrder order_of(const Options& options, Time now) {
  check(options);
  RentOrder order;
  order.token = rent_token();
  order.batch = options.batch;
  order.group = group_of(options);
  order.terms = {options.type, options.image, options.subnet, options.key_name, "", std::nullopt};
  constexpr std::size_t most_user_data = 8'192;  // Amazon takes 16 KiB, encoded twice
  if (!options.user_data.empty()) order.terms.user_data = read_file(options.user_data, most_user_data);
  order.hourly = options.bid.empty() ? parse_usd("--price", options.price) : parse_usd("--bid", options.bid);
  if (order.hourly <= Money{}) throw UsageError("an hour that costs nothing cannot be accounted for");
  if (!options.bid.empty()) order.terms.bid = order.hourly;
  order.count = options.count;
  const Duration length = parse_duration(options.length);
  constexpr Duration longest = ms(std::int64_t{30} * 24 * 3'600'000);
  if (length < least_billed || length > longest)
    throw UsageError(fmt::format("--for {} is not from 1min to 30d", options.length));
  order.asked = now;
  order.until = now + length;
  order.boot = parse_duration(options.boot);
  order.hold = longest_hold(length, order.boot);
  order.attempts = options.attempts;
  return order;
}

// The books with the budget that is asked for and the order in it. Throws Infeasible.
void place_within(Books& books, const RentOrder& order, const std::string& budget) {
  if (!budget.empty()) set_budget(books, order.batch, parse_usd("--budget", budget));
  place(books, order, order.asked, until_check);
}

void show(const Context& context, const Books& books, bool dry_run, const std::vector<std::string>& notes) {
  const Time now = now_instant();
  if (context.json)
    context.print(machines_document(books, now, dry_run, notes));
  else
    print_machines(books, now);
}

void tell(const Context& context, const StepReport& report, std::vector<std::string>& notes) {
  for (const auto& lines : {report.notes, report.refused})
    for (const std::string& line : lines) {
      context.note(line);
      notes.push_back(line);
    }
}

int dry_run(const Context& context, const Options& options) {
  const RentOrder order = order_of(options, now_instant());
  Books books;
  try {
    const Store store = Store::open(context.store_url(), Store::Access::existing);
    books = LedgerStore(store).read(false);
  } catch (const ExternalError&) {  // there is none yet, and none is made
  }
  place_within(books, order, options.budget);
  show(context, books, true, {});
  return 0;
}

// What became of an order and of those in its place.
struct Outcome {
  Count up = 0, coming = 0;
  std::string reason;  // of machines that are neither
};

// `missing`: machines that the last step missed; those of a group have no names.
Outcome outcome_of(const Books& books, const RentOrder& asked, bool joins, Count missing) {
  Outcome outcome;
  for (const RentOrder& order : books.orders) {
    if (order.token != asked.token && order.first != asked.token) continue;
    if (!order.reason.empty()) outcome.reason = order.reason;
    if (order.state == OrderState::closed) continue;
    const Count unnamed = std::max<Count>(0, order.count - std::ssize(order.machines));
    const bool grown = !order.group.empty() && order.state == OrderState::placed && missing == 0;
    if (order.wanted) (grown ? outcome.up : outcome.coming) += unnamed;
    for (const RentedMachine& machine : order.machines) {
      const bool is_up = machine.state >= (joins ? MachineState::joined : MachineState::running);
      if (machine.give_back || machine.state >= MachineState::terminating)
        outcome.reason = machine.reason;
      else
        ++(is_up ? outcome.up : outcome.coming);
    }
  }
  return outcome;
}

int rent(const Context& context, const Options& options) {
  if (options.dry_run) return dry_run(context, options);
  RentOrder order = order_of(options, now_instant());
  const Store store = Store::open(context.store_url(), Store::Access::create);
  LedgerStore ledger(store);
  context.ends_itself = true;
  MachinesCloud cloud(context, options.cloud, ledger);
  std::vector<std::string> notes;
  tell(context, cloud.step(), notes);  // credentials that are wrong show before anything is written
  order.place = cloud.place().text();
  if (!order.group.empty()) cloud.prepare(order);
  if (order.terms.bid) {
    const auto spot = cloud.spot_price(order.terms.type, now_instant());
    if (spot && *spot > *order.terms.bid)
      context.note(fmt::format("the spot price is {} USD now, above the bid", usd_text(*spot)));
  }
  ledger.change({}, [&](Books& books) { place_within(books, order, options.budget); });
  Outcome outcome;
  const bool joins = !options.cloud.resource_manager.empty();
  const auto look = [&] {
    StepReport report;
    report.missing = order.count;
    try {
      report = cloud.step();
      tell(context, report, notes);
    } catch (const CloudError& error) {  // the intent stands: the next step asks again
      if (error.failure() == CloudFailure::denied) throw;
      context.note(error.what());
    }
    outcome = outcome_of(ledger.read(true), order, joins, report.missing);
  };
  look();
  {
    Progress progress(context);
    Waits waits;
    while (outcome.coming > 0 && !options.no_wait) {
      progress.show(fmt::format("{} of {} machines up", outcome.up, order.count));
      waits.wait(context);
      look();
    }
  }
  if (outcome.up + outcome.coming == 0)
    throw ExternalError({}, "nothing is rented: " + outcome.reason, "see 'wavewright machines list --all'");
  show(context, ledger.read(false), false, notes);
  if (outcome.up + outcome.coming >= order.count) return 0;
  throw ExternalError({},
                      fmt::format("{} of {} machines are up: {}", outcome.up, order.count, outcome.reason),
                      "rent others, or give these back with 'wavewright machines release'");
}

// Steps in every place that has an open order, and in those where one was closed within a day: a machine of
// it may come to light. Only of the former an error ends the step.
class Everywhere {
 public:
  Everywhere(const Context& context, const Options& options, LedgerStore& ledger)
      : context_(context), options_(options), ledger_(ledger) {}

  StepReport step(std::vector<std::string>& notes) {
    StepReport sum;
    for (const auto& [text, open] : places()) {
      StepReport report;
      try {
        report = cloud_of(text).step();
      } catch (const Error& error) {
        if (open) throw;
        context_.note(error.what());
      }
      tell(context_, report, notes);
      sum.machines += report.machines;
      sum.missing += report.missing;
      sum.leaving += report.leaving;
      sum.unsettled += report.unsettled;
    }
    return sum;
  }

 private:
  // True for those with an open order.
  [[nodiscard]] std::map<std::string, bool> places() {
    constexpr Duration day = ms(std::int64_t{24} * 3'600'000);
    std::map<std::string, bool> places;
    for (const RentOrder& order : ledger_.read(true).orders) {
      const bool open = order.state != OrderState::closed;
      if (open || now_instant() - order.sent < day) places[order.place] |= open;
    }
    return places;
  }

  MachinesCloud& cloud_of(const std::string& text) {
    std::unique_ptr<MachinesCloud>& cloud = clouds_[text];
    if (cloud) return *cloud;
    const CloudPlace place = CloudPlace::of(text);
    CloudOptions options = options_.cloud;
    options.region = place.region;
    if (!place.endpoint.empty()) options.endpoint = place.endpoint;
    auto made = std::make_unique<MachinesCloud>(context_, options, ledger_);
    if (made->place().text() != text)
      throw UsageError(fmt::format("these are credentials of account {}, and machines were rented by {}",
                                   made->place().account, place.account),
                       "use credentials of that account: --profile");
    cloud = std::move(made);
    return *cloud;
  }

  const Context& context_;
  const Options& options_;
  LedgerStore& ledger_;
  std::map<std::string, std::unique_ptr<MachinesCloud>> clouds_;
};

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
  Everywhere everywhere(context, options, ledger);
  StepReport report = everywhere.step(notes);
  {
    Progress progress(context);
    Waits waits;
    while (report.leaving > 0 && !options.no_wait) {
      progress.show(fmt::format("{} machines are ending", report.leaving));
      waits.wait(context);
      report = everywhere.step(notes);
    }
  }
  show(context, ledger.read(false), false, notes);
  return 0;
}

int reconcile(const Context& context, const Options& options) {
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  LedgerStore ledger(store);
  context.ends_itself = true;
  Everywhere everywhere(context, options, ledger);
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
  const auto text = [&](const char* name, std::string& value, const char* what, const char* type) {
    return rent_command->add_option(name, value, what)->type_name(type);
  };
  text("--type", options->type, "type of the machines, such as m5.large", "TYPE");
  text("--image", options->image, "image that they boot", "AMI");
  rent_command->add_option("--count", options->count, "how many: all of them or none (default: 1)")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  text("--bid", options->bid, "spot machines: most to pay for an hour of one, in USD", "USD");
  text("--price", options->price, "machines on demand: what an hour of one costs, in USD", "USD");
  text("--budget", options->budget, "most that the batch may ever spend; kept for later calls", "USD");
  text("--for", options->length, "they are given back after that time", "DURATION")->required();
  text("--batch", options->batch, "whose budget it is (default: machines)", "NAME");
  text("--subnet", options->subnet, "subnet that they are in", "SUBNET");
  text("--key-name", options->key_name, "key pair for SSH", "NAME");
  text("--user-data", options->user_data, "script that each runs when it has booted", "FILE");
  text("--boot-within", options->boot, "a machine that is not up by then is ended and asked for anew (10min)",
       "DURATION");
  rent_command->add_option("--attempts", options->attempts, "how often one is asked for at most (3)")
      ->type_name("N")
      ->check(whole_number(1, 20));
  text("--emr-cluster", options->emr_cluster, "resize a task group of this EMR cluster instead", "ID");
  text("--instance-group", options->instance_group, "that task group", "ID");
  rent_command->add_flag("--no-wait", options->no_wait, "do not wait until they are up");
  rent_command->add_flag("--dry-run", options->dry_run,
                         "say what would be asked and what it may cost; ask nothing");
  options->cloud.declare(*rent_command);
  rent_command->callback(
      [&context, options] { context.run = [&context, options] { return rent(context, *options); }; });
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
