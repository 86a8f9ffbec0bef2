#include "apps/reproduce/print.h"

#include <cmath>
#include <iostream>
#include <set>

#include "apps/reproduce/comparison.h"

namespace wavewright::app {

namespace {

constexpr std::size_t width = 99;

std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Prints words in lines of at most `width` columns, each after `indent` spaces.
void print_wrapped(const std::string& text, std::size_t indent) {
  std::size_t column = width;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool fresh = column + columns(word) + 1 > width;
    if (fresh && begin > 0) std::cout << '\n';
    std::cout << (fresh ? std::string(indent, ' ') : " ") << word;
    column = (fresh ? indent : column + 1) + columns(word);
    begin = end + 1;
  }
  std::cout << '\n';
}

// An end of an interval, with fewer digits.
std::string end_of(const Json& value) {
  const auto number = value.get<double>();
  return std::abs(number) >= 1000 ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
}

std::string interval_of(const Json& row) {
  if (!row.contains("interval")) return "";
  return fmt::format(" [{}, {}]", end_of(row["interval"][0]), end_of(row["interval"][1]));
}

std::string labelled(const Json& row) {
  const std::string unit = row["unit"];
  return row["label"].get<std::string>() + (unit.empty() ? "" : ", " + unit);
}

// `differs, +12 %`; in points where the unit is percent already.
std::string verdict_text(const Json& row) {
  if (row["verdict"].is_null()) return "";
  const std::string verdict = row["verdict"];
  if (verdict != "differs" || !row.contains("difference")) return verdict;
  const auto difference = row["difference"].get<double>();
  const bool relative = row["unit"] != "%" && row["paper"].is_number() && row["paper"] != 0;
  const double shown = relative ? 100 * difference / row["paper"].get<double>() : difference;
  constexpr double many = 1000;  // from here on three digits would be written with an exponent
  return fmt::format("differs, {}{}",
                     std::abs(shown) < many ? fmt::format("{:+.3g}", shown) : fmt::format("{:+.0f}", shown),
                     relative ? " %" : "");
}

// Prints the row's tolerance if it differs from the entry's: an interval that agrees lies within it.
void print_tolerance(const Json& row) {
  if (!row.contains("own_tolerance")) return;
  const std::string unit = row["unit"];
  print_wrapped(
      fmt::format("tolerance: {:.4g}{}", row["tolerance"].get<double>(), unit.empty() ? "" : " " + unit), 6);
}

// `told`: remarks of earlier rows, which are not repeated.
void print_row(const Json& row, std::set<std::string>& told) {
  const bool printed = !row.contains("reading") && !row.contains("derived");
  std::cout << fmt::format("  {:<40}{:>14}{} {:>21}  {}\n", labelled(row), text_of(row["paper"]),
                           printed ? ' ' : '*', text_of(row["ours"]) + interval_of(row), verdict_text(row));
  print_tolerance(row);
  for (const char* name : {"reading", "derived", "not_compared", "assumption", "note"}) {
    if (!row.contains(name)) continue;
    const std::string word = name == std::string("not_compared") ? "not compared"
                             : name == std::string("assumption") ? "assumed"
                             : name == std::string("note")       ? "note"
                                                                 : std::string("* ") + name;
    const std::string remark = word + ": " + row[name].get<std::string>();
    if (told.insert(remark).second) print_wrapped(remark, 6);
  }
}

void print_assumption(const Json& assumption) {
  print_wrapped("assumed: " + assumption["text"].get<std::string>(), 2);
  print_wrapped("instead: " + assumption["instead"].get<std::string>(), 4);
  const Json& effects = assumption["effects"];
  if (!effects.empty() && effects[0].contains("replications"))
    std::cout << fmt::format("    over the first {} replications:\n", effects[0]["replications"].get<int>());
  for (const Json& effect : effects) {
    std::string change;
    if (effect.contains("change"))
      change = fmt::format("{:+.3g}{}", effect["change"].get<double>(), interval_of(effect));
    std::cout << fmt::format("    {:<46}{:>9} → {:<9} {}\n", labelled(effect), text_of(effect["ours"]),
                             text_of(effect["instead"]), change);
  }
}

// Verdicts by number, and what they rest on.
void print_verdicts(const Json& result) {
  std::vector<std::string> counts;
  for (const char* verdict : {"agrees", "differs", "borderline", "cannot tell", "not compared"}) {
    if (const int count = result["verdicts"][verdict]; count > 0)
      counts.push_back(fmt::format("{} × {}", count, verdict));
  }
  if (counts.empty()) return;
  std::string text = fmt::format("Verdicts: {}.", fmt::join(counts, ", "));
  if (result.contains("tolerance")) {
    text += fmt::format(
        " A row agrees if its whole 95 % interval is within {:.3g} % of the paper's value, or within {:.3g} "
        "of "
        "it where that is more, in the row's unit; it differs if none of it is.",
        100 * result["tolerance"]["share"].get<double>(), result["tolerance"]["least"].get<double>());
  }
  print_wrapped(text, 2);
}

}  // namespace

void print_entry(const Json& result) {
  std::cout << fmt::format("{}  {}\n", result["id"].get<std::string>(), result["title"].get<std::string>());
  print_wrapped(result["source"].get<std::string>(), 2);
  std::cout << fmt::format("  {:<40}{:>14}  {:>21}  {}\n", "", "paper", "ours", "verdict");
  std::set<std::string> told;
  for (const Json& row : result["rows"]) print_row(row, told);
  print_verdicts(result);
  for (const Json& assumption : result["assumptions"]) print_assumption(assumption);
  print_wrapped(result["explanation"].get<std::string>(), 2);
  std::cout << '\n';
}

}  // namespace wavewright::app
