// `wavewright compare FILE`: do policies differ, and by how much?
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "apps/commands/measured_table.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/parameters.h"
#include "wavewright/report/documents/compare_document.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string file, by = "policy";
  std::vector<std::string> pair, metrics;
};

const std::vector<std::string> usual_pair = {"workload", "cluster", "seed"};
const std::vector<std::string> usual_metrics = {"makespan_ms", "mean_completion_ms", "energy_j", "cost_usd"};

void require(const MeasuredTable& table, const std::string& column, const std::string& flag) {
  if (!table.has(column))
    throw UsageError(fmt::format("{}: {} has no column '{}'", flag, table.source, column),
                     suggestion(column, table.columns));
}

// The given columns, or those of the usual ones that the table has.
std::vector<std::string> columns_of(const MeasuredTable& table, const std::vector<std::string>& given,
                                    const std::vector<std::string>& usual, const std::string& flag) {
  for (const std::string& each : given) require(table, each, flag);
  std::vector<std::string> columns = given;
  if (columns.empty())
    std::copy_if(usual.begin(), usual.end(), std::back_inserter(columns),
                 [&](const std::string& each) { return table.has(each); });
  if (columns.empty())
    throw UsageError(fmt::format("{}: {} has none of {}", flag, table.source, fmt::join(usual, ", ")),
                     fmt::format("name a column with {}", flag));
  return columns;
}

// Infinite for a number beyond all of type double, 0 for one too near to it; none where the text is no
// number.
std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, value);
  if (read.ec == std::errc::result_out_of_range && read.ptr == end) return std::strtod(text.c_str(), nullptr);
  return finite_number(text);
}

// Values by policy, then by what pairs them.
using Values = std::map<std::string, std::map<std::string, double>>;

class Comparing {
 public:
  Comparing(const MeasuredTable& table, const Options& options)
      : table_(table), by_(options.by), pair_(columns_of(table, options.pair, usual_pair, "--pair")) {
    require(table, by_, "--by");
    for (const MeasuredRow& row : table.rows) {
      const std::string& policy = value(row, by_);
      if (std::find(policies_.begin(), policies_.end(), policy) == policies_.end())
        policies_.push_back(policy);
    }
    if (policies_.size() < 2) {
      throw UsageError(fmt::format("{}: only one {} to compare: '{}'", table.source, by_, policies_.front()),
                       "give runs of at least two");
    }
  }

  [[nodiscard]] ComparedMetric metric(const std::string& name) const {
    Values values;
    ComparedMetric found{name, {}, {}, 0, {}, {}};
    Alone alone;
    for (const MeasuredRow& row : table_.rows) add(row, name, values, found.left_out);
    for (const std::string& policy : policies_) {
      std::vector<double> own;
      for (const auto& [key, number] : values[policy]) own.push_back(number);
      if (own.empty()) {
        found.undefined.push_back(policy);
      } else {
        found.policies.push_back({policy, statistics_of(own)});
      }
    }
    for (std::size_t i = 0; i < policies_.size(); ++i) {
      for (std::size_t j = i + 1; j < policies_.size(); ++j)
        add_pair(values[policies_[i]], values[policies_[j]], i, j, found, alone);
    }
    found.left_out += alone.size();
    return found;
  }

 private:
  // Policies and runs without a partner under some other policy.
  using Alone = std::set<std::pair<std::size_t, std::string>>;

  static const std::string& value(const MeasuredRow& row, const std::string& column) {
    static const std::string none;
    const auto found = row.values.find(column);
    return found == row.values.end() ? none : found->second;
  }
  void add(const MeasuredRow& row, const std::string& name, Values& values, std::size_t& left_out) const {
    const std::string& text = value(row, name);
    if (text.empty()) {
      ++left_out;
      return;
    }
    const std::optional<double> number = number_in(text);
    if (!number) {
      throw InputError({table_.source, row.line},
                       fmt::format("{} is '{}', not a number", name, shortened(text)),
                       "compare columns of numbers with --metric");
    }
    constexpr double most = 1e150;  // squares of larger ones are no numbers
    if (std::abs(*number) > most) {
      throw InputError({table_.source, row.line},
                       fmt::format("{} is '{}', beyond 1e150", name, shortened(text)),
                       "compare columns of measured numbers with --metric");
    }
    std::string key;
    for (const std::string& column : pair_) key += value(row, column) + '\x1f';
    if (!values[value(row, by_)].emplace(key, *number).second) {
      throw InputError({table_.source, row.line},
                       fmt::format("a second row of {} '{}' with the same {}", by_,
                                   shortened(value(row, by_)), fmt::join(pair_, ", ")),
                       "name the columns that tell runs apart with --pair");
    }
  }
  void add_pair(const std::map<std::string, double>& one, const std::map<std::string, double>& other,
                std::size_t i, std::size_t j, ComparedMetric& found, Alone& alone) const {
    std::vector<double> a, b;
    for (const auto& [key, number] : one) {
      const auto partner = other.find(key);
      if (partner == other.end()) {
        alone.emplace(i, key);
        continue;
      }
      a.push_back(number);
      b.push_back(partner->second);
    }
    for (const auto& [key, number] : other) {
      if (!one.contains(key)) alone.emplace(j, key);
    }
    if (!a.empty()) {
      found.pairs.push_back({policies_[i], policies_[j], paired_t_test(a, b)});
    } else if (!one.empty() && !other.empty()) {
      found.unpaired.emplace_back(policies_[i], policies_[j]);
    }
  }

  const MeasuredTable& table_;
  std::string by_;
  std::vector<std::string> pair_, policies_;
};

std::string number_text(const std::optional<double>& value, bool sign = false) {
  if (!value) return "-";
  return sign ? fmt::format("{:+.5g}", *value) : fmt::format("{:.5g}", *value);
}

std::string p_text(const std::optional<double>& p) {
  constexpr double least = 0.0001;
  if (!p) return "-";
  return *p < least ? "< 0.0001" : fmt::format("{:.4f}", *p);
}

// Why runs of a sweep may lack the metric.
std::string why_undefined(const std::string& metric) {
  static const std::map<std::string, std::string> reasons = {
      {"locality_rate", "blocks have no places, or no map was done"},
      {"map_response_ms", "blocks have no places, or no map was done"},
      {"accept_ratio", "no job has a deadline"},
      {"success_ratio", "no job has a deadline, or none was accepted"},
      {"utilisation", "no job has a deadline, none was accepted, or the cluster has no slots"},
      {"utilisation_of_all", "no job has a deadline, none was accepted, or the cluster has no slots"},
      {"mean_completion_ms", "no job was done"},
      {"p95_completion_ms", "no job was done"},
      {"energy_j", "the cluster file tells no power"},
      {"cost_usd", "the cluster file tells no prices"}};
  const auto found = reasons.find(metric);
  return found == reasons.end() ? "no value in the file" : found->second;
}

std::string undefined_text(const ComparedMetric& metric) {
  std::string of = "all runs";
  if (!metric.policies.empty()) of = fmt::format("all runs of '{}'", fmt::join(metric.undefined, "', '"));
  return harmless(fmt::format("{} is undefined in {}: {}", metric.metric, of, why_undefined(metric.metric)));
}

void print(const ComparedMetric& metric, const std::string& by) {
  if (metric.policies.empty()) {
    std::cout << undefined_text(metric) << '\n';
    return;
  }
  std::cout << metric.metric << '\n';
  Table policies{{{by, by, false, true},
                  {"runs", "runs", true, false},
                  {"mean", "mean", true, false},
                  {"half_95", "± 95 %", true, false},
                  {"standard_error", "std. error", true, false},
                  {"population_standard_error", "from n", true, false}},
                 {}};
  for (const ComparedPolicy& each : metric.policies) {
    const SampleStatistics& of = each.statistics;
    policies.rows.push_back({each.policy, std::to_string(of.runs), number_text(of.mean), number_text(of.half),
                             number_text(of.error),
                             number_text(of.error ? std::optional(of.population_error) : std::nullopt)});
  }
  write_table(std::cout, policies);
  if (!metric.undefined.empty()) std::cout << undefined_text(metric) << '\n';
  Table pairs{{{"pair", "difference of", false, true},
               {"pairs", "pairs", true, false},
               {"difference", "mean", true, false},
               {"half_95", "± 95 %", true, false},
               {"standard_error", "std. error", true, false},
               {"t", "t", true, false},
               {"p", "p", true, false}},
              {}};
  for (const ComparedPair& each : metric.pairs) {
    const SampleStatistics& of = each.test.difference;
    pairs.rows.push_back({each.one + " − " + each.other, std::to_string(of.runs), number_text(of.mean, true),
                          number_text(of.half), number_text(of.error), number_text(each.test.t),
                          p_text(each.test.p)});
  }
  if (!pairs.rows.empty()) write_table(std::cout, pairs);
  for (const ComparedPair& each : metric.pairs) {
    const SampleStatistics& of = each.test.difference;
    if (of.error == 0.0 && of.mean != 0)
      std::cout << harmless(
                       fmt::format("'{}' and '{}' differ by the same in all {} pairs: if chance plays no "
                                   "part in the runs, t and p mean nothing",
                                   each.one, each.other, of.runs))
                << '\n';
  }
  for (const auto& [one, other] : metric.unpaired)
    std::cout << harmless(fmt::format("'{}' and '{}' have no run in common", one, other)) << '\n';
  if (metric.left_out > 0) {
    std::cout << fmt::format(
        "{} value{} missing, or without a partner under some other policy: left out there\n", metric.left_out,
        metric.left_out == 1 ? "" : "s");
  }
}

int compare(const Context& context, const Options& options) {
  const MeasuredTable table = read_measured_table(options.file);
  const Comparing comparing(table, options);
  std::vector<ComparedMetric> metrics;
  for (const std::string& name : columns_of(table, options.metrics, usual_metrics, "--metric")) {
    metrics.push_back(comparing.metric(name));
    if (metrics.back().policies.empty() && options.metrics.empty()) metrics.pop_back();  // not measured
  }
  if (context.json) {
    context.print(compare_document(metrics));
    return 0;
  }
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (i > 0) std::cout << '\n';
    print(metrics[i], options.by);
  }
  return 0;
}

}  // namespace

void add_compare(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      root.add_subcommand("compare", "Say whether policies differ in a metric, over paired runs");
  command->footer(
      "Example: wavewright compare examples/energy/runs.csv --by scheduler --pair run --metric energy_kwh");
  command->add_option("FILE", options->file, "runs: results of a sweep, or any .csv or .jsonl")->required();
  command
      ->add_option("--metric", options->metrics,
                   "column to compare; may be repeated (default: makespan, completion, energy, cost)")
      ->type_name("COLUMN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--by", options->by, "column that names the policy (default policy)")
      ->type_name("COLUMN");
  command
      ->add_option("--pair", options->pair,
                   "columns that runs of a pair share; may be repeated (default: workload, cluster, seed)")
      ->type_name("COLUMN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->callback(
      [&context, options] { context.run = [&context, options] { return compare(context, *options); }; });
}

}  // namespace wavewright::app
