// `wavewright reproduce [ID…]`: repeats tables, figures and worked examples of the papers.
#include <cmath>
#include <iostream>
#include <memory>

#include "apps/context.h"
#include "apps/progress.h"
#include "apps/reproduce/chart.h"
#include "apps/reproduce/entry.h"
#include "apps/reproduce/experiment.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

struct ReproduceFlags {
  std::vector<std::string> ids;
  std::string out;
  std::uint64_t replications = 0;
  bool list = false;
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

// Does our value agree with the paper's? The same text or number, or a number within our interval.
Json agreement(const Json& paper, const Measured& ours) {
  if (paper.is_null()) return {};
  if (!paper.is_number() || !ours.value.is_number()) return paper == ours.value;
  const double value = paper.get<double>();
  if (ours.interval) return ours.interval->first <= value && value <= ours.interval->second;
  return std::abs(value - ours.value.get<double>()) <= 1e-9 * std::max(1.0, std::abs(value));
}

Json result_row(const EntryRow& row, const Measured& ours) {
  Json json = {
      {"key", row.key}, {"label", row.label}, {"unit", row.unit}, {"paper", row.paper}, {"ours", ours.value}};
  if (ours.interval) json["interval"] = {ours.interval->first, ours.interval->second};
  if (row.paper.is_number() && ours.value.is_number()) {
    json["difference"] = ours.value.get<double>() - row.paper.get<double>();
  }
  json["agrees"] = agreement(row.paper, ours);
  if (!row.assumption.empty()) json["assumption"] = row.assumption;
  return json;
}

Json result_of(const Entry& entry, const Measurements& measured, std::uint64_t seed) {
  Json rows = Json::array();
  for (const EntryRow& row : entry.rows) rows.push_back(result_row(row, measured.at(row.key)));
  return {{"id", entry.id},
          {"title", entry.title},
          {"paper", entry.paper},
          {"source", entry.source},
          {"seed", seed},
          {"rows", rows},
          {"explanation", entry.explanation}};
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  const auto number = value.get<double>();
  const bool whole = number == std::round(number) && std::abs(number) < 1e15;
  const bool large = std::abs(number) >= 10'000 && std::abs(number) < 1e7;
  return whole || large ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

// An end of an interval, with fewer digits.
std::string end_of(const Json& value) {
  const auto number = value.get<double>();
  return std::abs(number) >= 1000 ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
}

std::string difference_of(const Json& row) {
  if (row["agrees"].is_null()) return "";
  if (row["agrees"].get<bool>()) return "same";
  if (!row.contains("difference")) return "differs";
  const auto difference = row["difference"].get<double>();
  const auto paper = row["paper"].get<double>();
  const std::string percent = paper == 0 ? "" : fmt::format(" ({:+.1f} %)", 100 * difference / paper);
  return fmt::format("{:+.4g}{}", difference, percent);
}

// Prints words in lines of at most `width` columns, each after `indent` spaces.
void print_wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::size_t column = width;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const auto columns = static_cast<std::size_t>(std::count_if(
        word.begin(), word.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    const bool fresh = column + columns + 1 > width;
    if (fresh && begin > 0) std::cout << '\n';
    std::cout << (fresh ? std::string(indent, ' ') : " ") << word;
    column = (fresh ? indent : column + 1) + columns;
    begin = end + 1;
  }
  std::cout << '\n';
}

void print_entry(const Json& entry) {
  constexpr std::size_t width = 99;
  std::cout << fmt::format("{}  {}\n", entry["id"].get<std::string>(), entry["title"].get<std::string>());
  print_wrapped(entry["source"].get<std::string>(), 2, width);
  std::cout << fmt::format("  {:<40}{:>14} {:>21}  {}\n", "", "paper", "ours", "difference");
  for (const Json& row : entry["rows"]) {
    std::string label = row["label"];
    if (const std::string unit = row["unit"]; !unit.empty()) label += ", " + unit;
    std::string ours = text_of(row["ours"]);
    if (row.contains("interval")) {
      ours += fmt::format(" [{}, {}]", end_of(row["interval"][0]), end_of(row["interval"][1]));
    }
    std::cout << fmt::format("  {:<40}{:>14} {:>21}  {}\n", label, text_of(row["paper"]), ours,
                             difference_of(row));
    if (row.contains("assumption"))
      print_wrapped("assumed: " + row["assumption"].get<std::string>(), 6, width);
  }
  print_wrapped(entry["explanation"].get<std::string>(), 2, width);
  std::cout << '\n';
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
                  const Measurements& measured) {
  write_file(folder / (entry.id + ".json"), [&](std::ostream& out) { out << result.dump(2) << '\n'; });
  int number = 0;
  for (const LineChart& chart : charts_of(entry, measured)) {
    write_file(folder / fmt::format("{}-{}.svg", entry.id, ++number),
               [&](std::ostream& out) { out << line_chart_svg(chart); });
  }
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
  for (Entry& entry : entries) {
    if (flags.replications > 0 && entry.inputs.contains("replications"))
      entry.inputs["replications"] = flags.replications;
  }
  if (!flags.out.empty()) make_folder(flags.out);
  Json results = Json::array();
  for (const Entry& entry : entries) {
    if (context.interrupted) break;
    const Measurements measured = [&] {
      Progress progress(context);
      return run_experiment(
          entry, {context.seed, [&](const std::string& text) { progress.show(entry.id + ": " + text); },
                  Stop(std::nullopt, &context.interrupted)});
    }();
    if (context.interrupted) break;
    Json result = result_of(entry, measured, context.seed);
    if (!context.json) print_entry(result);
    if (!flags.out.empty()) write_result(flags.out, entry, result, measured);
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
      ->check(whole_number(1, 100));
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return reproduce(context, *flags); }; });
}

}  // namespace wavewright::app
