// `wavewright reproduce [ID…]`: repeats tables, figures and worked examples of the papers.
#include <iostream>
#include <memory>

#include "apps/context.h"
#include "apps/progress.h"
#include "apps/reproduce/assumptions.h"
#include "apps/reproduce/chart.h"
#include "apps/reproduce/comparison.h"
#include "apps/reproduce/entry.h"
#include "apps/reproduce/experiment.h"
#include "apps/reproduce/online.h"
#include "apps/reproduce/print.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

struct ReproduceFlags {
  std::vector<std::string> ids;
  std::string out, trace;
  std::uint64_t replications = 0;
  bool list = false;
  bool no_assumptions = false;
};

std::vector<Entry> chosen(std::vector<Entry> all, const std::vector<std::string>& ids) {
  if (ids.empty()) return all;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const Entry& entry : all) known.push_back(entry.id);
  std::vector<Entry> result;
  for (const std::string& id : ids) {
    const auto found = std::find(known.begin(), known.end(), id);
    if (found == known.end()) throw UsageError("unknown entry '" + id + "'", suggestion(id, known));
    result.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return result;
}

int list_entries(const Context& context, const std::vector<Entry>& entries) {
  Json all = Json::array();
  for (const Entry& entry : entries) {
    all.push_back(
        {{"id", entry.id}, {"title", entry.title}, {"paper", entry.paper}, {"source", entry.source}});
  }
  if (context.json) {
    context.print({{"entries", all}});
    return 0;
  }
  std::cout << fmt::format("{:<20}{:<8}{}\n", "id", "paper", "title");
  for (const Entry& entry : entries)
    std::cout << fmt::format("{:<20}{:<8}{}\n", entry.id, entry.paper, entry.title);
  return 0;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw ExternalError({folder.string()}, "cannot make the folder: " + error.message(), "name another");
}

// Writes ID.json, and ID-1.svg, … for the charts.
void write_result(const std::filesystem::path& folder, const Entry& entry, const Json& result,
                  const Measurements& measured, const std::vector<Effects>& effects) {
  write_file(folder / (entry.id + ".json"), [&](std::ostream& out) { out << result.dump(2) << '\n'; });
  int number = 0;
  for (const std::string& chart : charts_of(entry, measured, effects)) {
    write_file(folder / fmt::format("{}-{}.svg", entry.id, ++number),
               [&](std::ostream& out) { out << chart; });
  }
}

// Entries whose inputs have a `trace` get the one that is named; without one they are passed over, or refused
// if they were asked for.
void give_trace(const Context& context, const ReproduceFlags& flags, std::vector<Entry>& entries) {
  std::erase_if(entries, [&](Entry& entry) {
    if (!entry.inputs.contains("trace")) return false;
    if (!flags.trace.empty()) {
      entry.inputs["trace"] = flags.trace;
      return false;
    }
    if (!flags.ids.empty()) {
      throw UsageError("entry '" + entry.id + "' needs a trace that does not come with wavewright",
                       "give --trace FB-2009_samples_24_times_1hr_0.tsv, of SWIM's workloadSuite");
    }
    context.note(entry.id + " needs a trace: name it with --trace to run it");
    return true;
  });
}

int reproduce(const Context& context, const ReproduceFlags& flags) {
  context.ends_itself = true;
  std::vector<Entry> entries = chosen(read_entries(reproduce_folder()), flags.ids);
  if (flags.list) return list_entries(context, entries);
  if (flags.ids.empty()) {
    std::erase_if(entries, [&](const Entry& entry) {
      if (entry.only_by_name) context.note(entry.id + " takes minutes: name it to run it");
      return entry.only_by_name;
    });
  }
  give_trace(context, flags, entries);
  for (Entry& entry : entries) {
    if (flags.no_assumptions) entry.assumptions.clear();
    if (flags.replications > 0 && entry.inputs.contains("replications"))
      entry.inputs["replications"] = flags.replications;
  }
  if (!flags.out.empty()) make_folder(flags.out);
  Json results = Json::array();
  for (const Entry& entry : entries) {
    if (context.interrupted) break;
    Measurements measured;
    std::vector<Effects> effects;
    {
      Progress progress(context);
      const ExperimentRun run = {context.seed,
                                 [&](const std::string& text) { progress.show(entry.id + ": " + text); },
                                 Stop(std::nullopt, &context.interrupted)};
      measured = run_experiment(entry, run);
      if (!context.interrupted) effects = run_assumptions(entry, measured, run);
    }
    if (context.interrupted) break;
    Json result = result_of(entry, measured, effects, context.seed);
    if (!context.json) print_entry(result);
    if (!flags.out.empty()) write_result(flags.out, entry, result, measured, effects);
    results.push_back(std::move(result));
  }
  Json document = {{"seed", context.seed}, {"entries", results}};
  const bool partial = results.size() < entries.size();
  if (partial) document["partial"] = true;
  if (context.json) context.print(document);
  if (partial) context.note(fmt::format("interrupted: {} of {} done", results.size(), entries.size()));
  return static_cast<int>(partial ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace

void add_reproduce(CLI::App& root, Context& context) {
  auto flags = std::make_shared<ReproduceFlags>();
  CLI::App* command = root.add_subcommand("reproduce", "Run the papers' tables, figures and examples again");
  command->footer("Example: wavewright reproduce pools five-jobs");
  command->add_option("ids", flags->ids, "which; all where none is named")->type_name("ID");
  command->add_flag("--list", flags->list, "the entries and the paper of each");
  command->add_option("--out", flags->out, "folder for one JSON file an entry, and its charts as SVG")
      ->type_name("DIR");
  command
      ->add_option("--replications", flags->replications,
                   "runs of each replicated experiment, instead of the entry's")
      ->type_name("N")
      ->check(whole_number(1, most_replications));
  command->add_option("--trace", flags->trace, "table of SWIM, for the entries that are made of one")
      ->type_name("FILE");
  command->add_flag("--no-assumptions", flags->no_assumptions,
                    "do not run what the assumptions change; takes less time");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return reproduce(context, *flags); }; });
}

}  // namespace wavewright::app
