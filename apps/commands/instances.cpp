// `wavewright instances`: types of machines for rent; `--for JOB`: which of them, and how many.
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/job_predictor.h"
#include "apps/commands/job_runs.h"
#include "apps/commands/job_size.h"
#include "apps/commands/predict_view.h"
#include "apps/commands/price_input.h"
#include "apps/commands/profile_lengths.h"
#include "apps/context.h"
#include "apps/data_folder.h"
#include "apps/open_store.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/instances/instance_choice.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/live/outlook/outlook_document.h"

namespace wavewright::app {

namespace {

constexpr const char* by_simulation = "simulated";

struct InstanceFlags {
  std::string catalogue, job, deadline, boot = "2min", billing = "second", model = by_simulation;
  std::string task_memory = "1GiB";
  std::vector<std::string> types;
  double probability = 95;
  Count most_machines = 1000;
  PriceFlags prices;
  JobSizeFlags size;
  RunChoiceFlags choice;
};

Catalogue catalogue_of(const InstanceFlags& flags) {
  Catalogue all = read_catalogue(flags.catalogue.empty() ? data_folder() / "instances" / "ec2.toml"
                                                         : std::filesystem::path(flags.catalogue));
  if (flags.types.empty()) return all;
  std::vector<InstanceType> chosen;
  chosen.reserve(flags.types.size());
  for (const std::string& name : flags.types) chosen.push_back(all.find(name));
  all.types = std::move(chosen);
  return all;
}

std::string usd_text(double usd) {
  return fmt::format("{:.4f}", usd);
}

int list_types(const Catalogue& catalogue, const TaskSize& task, const Context& context) {
  Json document = {{"date", catalogue.date},
                   {"region", catalogue.region},
                   {"explanation", catalogue.explanation},
                   {"types", Json::array()}};
  Table table{{{"name", "type"},
               {"vcpus", "vCPUs", true},
               {"memory_mib", "memory", true},
               {"usd_per_hour", "USD an hour", true},
               {"map_slots", "maps at once", true},
               {"reduce_slots", "reduces at once", true},
               {"date", "price of"}},
              {}};
  for (const InstanceType& type : catalogue.types) {
    const SlotPool slots = machine_slots(type, task);
    const std::string date = type.date.empty() ? catalogue.date : type.date;
    document["types"].push_back({{"name", type.name},
                                 {"vcpus", type.vcpus},
                                 {"memory_mib", type.memory.count >> 20},
                                 {"usd_per_hour", to_usd(type.per_hour)},
                                 {"speed", type.speed},
                                 {"map_slots", slots.map_slots},
                                 {"reduce_slots", slots.reduce_slots},
                                 {"date", date}});
    table.rows.push_back({type.name, count_cell(type.vcpus), format_bytes(type.memory),
                          usd_text(to_usd(type.per_hour)), count_cell(slots.map_slots),
                          count_cell(slots.reduce_slots), date});
  }
  if (context.json) {
    context.print(document);
    return 0;
  }
  write_table(std::cout, table);
  std::cout << fmt::format("\n{}, prices on demand of {}: look up today's before money depends on them\n",
                           catalogue.region, catalogue.date);
  return 0;
}

// At most a hundred equally likely times: middles of equal shares of the simulated ones.
std::vector<double> thinned(const std::vector<double>& ascending) {
  constexpr std::size_t most = 100;
  if (ascending.size() <= most) return ascending;
  std::vector<double> few;
  few.reserve(most);
  for (std::size_t i = 0; i < most; ++i)
    few.push_back(quantile_of(ascending, (static_cast<double>(i) + 0.5) / static_cast<double>(most)));
  return few;
}

Json to_json(const InstanceOption& option) {
  return {{"type", option.type},
          {"machines", option.machines},
          {"bid_usd", option.bid ? Json(to_usd(*option.bid)) : Json(nullptr)},
          {"zone", option.zone},
          {"map_slots", option.slots.map_slots},
          {"reduce_slots", option.slots.reduce_slots},
          {"expected_usd", option.expected_usd},
          {"probability", option.probability},
          {"time_ms", static_cast<std::int64_t>(option.time_ms)},
          {"revoked", option.revoked}};
}

void show(const std::string& name, const InstanceQuestion& question, const InstanceChoice& found,
          const Catalogue& catalogue) {
  std::cout << fmt::format("{} within {} in {:g} % of runs: {} maps and {} reduces\n\n", shown_name(name),
                           format_duration(question.deadline), 100 * question.probability, question.maps,
                           question.reduces);
  Table table{{{"type", "type"},
               {"machines", "machines", true},
               {"how", "how"},
               {"expected_usd", "expected USD", true},
               {"time_ms", "done within", true},
               {"probability", "in time", true},
               {"revoked", "revoked", true}},
              {}};
  for (const InstanceOption& each : found.by_type) {
    table.rows.push_back(
        {each.type, count_cell(each.machines),
         each.bid ? fmt::format("bid {:g}{}", to_usd(*each.bid), each.zone.empty() ? "" : " in " + each.zone)
                  : "on demand",
         usd_text(each.expected_usd),
         format_duration(ms(static_cast<std::int64_t>(each.time_ms) / 1000 * 1000)),
         fmt::format("{:.1f} %", 100 * each.probability),
         each.bid ? fmt::format("{:.1f} %", 100 * each.revoked) : ""});
  }
  write_table(std::cout, table);
  std::cout << fmt::format("\n{}; boot {}, billed by {}; prices on demand of {}{}\n",
                           found.exact ? "the cheapest of each type" : "the cheapest found of each type",
                           format_duration(question.boot),
                           question.billing == Billing::per_second ? "second, 60 s at least" : "started hour",
                           catalogue.date, catalogue.region.empty() ? "" : " in " + catalogue.region);
}

InstanceQuestion question_of(const InstanceFlags& flags, const Context& context) {
  InstanceQuestion question;
  question.deadline = parse_duration(flags.deadline);
  question.boot = parse_duration(flags.boot);
  question.task.memory = parse_bytes(flags.task_memory);
  question.most_machines = flags.most_machines;
  constexpr double least = 5, most = 99;
  if (!(flags.probability >= least && flags.probability <= most))
    throw UsageError(fmt::format("--confidence {:g} is not from 5 to 99 percent", flags.probability),
                     "give percent, like 95");
  question.probability = flags.probability / 100;
  if (flags.billing != "second" && flags.billing != "hour") {
    throw UsageError("no billing by '" + flags.billing + "'",
                     suggestion(flags.billing, std::vector<std::string>{"second", "hour"}));
  }
  question.billing = flags.billing == "hour" ? Billing::per_started_hour : Billing::per_second;
  if (!flags.prices.file.empty()) question.histories = flags.prices.read(context).histories;
  return question;
}

int choose_for(const InstanceFlags& flags, const Catalogue& catalogue, const Context& context) {
  if (flags.deadline.empty()) throw UsageError("--for needs a deadline", "give --deadline 30min");
  InstanceQuestion question = question_of(flags, context);
  const std::optional<TimeModel> model =
      flags.model == by_simulation ? std::nullopt : std::optional(parse_time_model(flags.model));
  const Store store = open_store(context);
  JobRuns stored = find_job_runs(store, flags.job);
  const PredictionOptions how{.seed = context.seed};
  const std::string name = stored.name;
  const Predictor predictor =
      job_predictor(store, shown_name(name), std::move(stored.runs), flags.choice.with(how));
  const RunChoice choice = predictor.choose({.size = flags.size.size()});
  const PreparedPrediction prediction(name, choice.runs, flags.size.size(), how);
  question.maps = prediction.maps();
  question.reduces = prediction.reduces();
  question.monotone = !prediction.contention();
  question.times_ms = [&](SlotPool slots) -> std::vector<double> {
    if (model) return {prediction.formula_at(slots, *model)};
    return thinned(prediction.percentiles_at(slots).totals_ms);
  };
  // Each number of machines of a simulated job takes a while.
  constexpr Count simulated_numbers = 60;
  if (!model) question.most_numbers = simulated_numbers;
  context.ends_itself = true;
  question.stop = Stop({}, &context.interrupted);
  const InstanceChoice found = choose_instances(catalogue, question);
  const bool partial = context.interrupted;
  const TrackRecord record = record_of(store, predictor);
  if (context.json) {
    Json document = {{"name", name},
                     {"deadline_ms", to_ms(question.deadline)},
                     {"confidence", question.probability},
                     {"model", model ? to_string(*model) : by_simulation},
                     {"maps", question.maps},
                     {"reduces", question.reduces},
                     {"boot_ms", to_ms(question.boot)},
                     {"billing", flags.billing},
                     {"prices_of", catalogue.date},
                     {"best", to_json(found.best)},
                     {"least_bid_usd", found.least_bid ? Json(to_usd(*found.least_bid)) : Json(nullptr)},
                     {"by_type", Json::array()},
                     {"exact", found.exact}};
    for (const InstanceOption& each : found.by_type) document["by_type"].push_back(to_json(each));
    document["record"] = document_of(record);
    if (partial) document["partial"] = true;
    context.print(document);
  } else {
    show(name, question, found, catalogue);
    tell_record(record);
  }
  return static_cast<int>(partial ? ExitStatus::interrupted : ExitStatus::done);
}

int run_instances(const InstanceFlags& flags, const Context& context) {
  const Catalogue catalogue = catalogue_of(flags);
  TaskSize task;
  task.memory = parse_bytes(flags.task_memory);
  if (task.memory.count < 1) throw UsageError("--task-memory is 0", "give a size like 1GiB");
  if (!flags.job.empty()) return choose_for(flags, catalogue, context);
  if (!flags.deadline.empty()) throw UsageError("--deadline needs a job", "give --for NAME");
  return list_types(catalogue, task, context);
}

}  // namespace

void add_instances(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("instances", "Machines for rent, and which of them a job needs");
  command->footer("Example: wavewright instances --for nightly-etl --deadline 30min --prices prices.json");
  const auto flags = std::make_shared<InstanceFlags>();
  command->add_option("--instances", flags->catalogue, "catalogue of types (the one that comes along)")
      ->type_name("FILE");
  command->add_option("--only", flags->types, "only this type; more than once if wanted")->type_name("TYPE");
  command->add_option("--for", flags->job, "job name, in any case: find its cheapest machines")
      ->type_name("NAME");
  command->add_option("--deadline", flags->deadline, "time from the request of the machines to the job's end")
      ->type_name("TIME");
  command->add_option("--confidence", flags->probability, "share of runs that are to be done in time (95)")
      ->type_name("PERCENT");
  offer(command
            ->add_option(
                "--model", flags->model,
                "how time is told: by simulated runs, or by a formula: low, bounds, up, wave or simple")
            ->type_name("MODEL"),
        {by_simulation, "low", "bounds", "up", "wave", "simple"});
  command->add_option("--boot", flags->boot, "from the request of a machine until it works (2min)")
      ->type_name("TIME");
  offer(command->add_option("--billing", flags->billing, "by second (60 s at least) or by started hour")
            ->type_name("UNIT"),
        {"second", "hour"});
  command->add_option("--task-memory", flags->task_memory, "memory of a task's container (1GiB)")
      ->type_name("BYTES");
  constexpr std::uint64_t most = 1'000'000;
  command->add_option("--most-machines", flags->most_machines, "at most this many of a type (1000)")
      ->type_name("N")
      ->check(whole_number(1, most));
  flags->prices.declare(*command, "--prices", "spot prices, of any of the types: bids are tried, too");
  flags->size.declare(*command);
  flags->choice.declare(*command);
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_instances(*flags, context); }; });
}

}  // namespace wavewright::app
