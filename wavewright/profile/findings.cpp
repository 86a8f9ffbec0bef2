#include "wavewright/profile/findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/profile/profile.h"
#include "wavewright/profile/robust.h"

namespace wavewright {

namespace {

using Durations = std::vector<Duration> RunPhases::*;
struct NamedPhase {
  const char* name;
  const char* option;  // of `profile --why`
  Durations durations;
};
constexpr NamedPhase named_phases[] = {{"map", "map", &RunPhases::map},
                                       {"first shuffle", "first_shuffle", &RunPhases::first_shuffle},
                                       {"later shuffle", "shuffle", &RunPhases::shuffle},
                                       {"reduce", "reduce", &RunPhases::reduce}};
constexpr double tiny_ms = 500;  // shorter phases do not matter

std::vector<double> numbers(const std::vector<Duration>& durations) {
  std::vector<double> values;
  values.reserve(durations.size());
  for (const Duration duration : durations) values.push_back(static_cast<double>(duration.count()));
  return values;
}

double mean_of(const std::vector<double>& values) {
  return spread_of(values).mean;
}

std::vector<const RunPhases*> successful(std::span<const RunPhases> runs) {
  std::vector<const RunPhases*> kept;
  for (const RunPhases& run : runs) {
    if (run.state == RunState::succeeded) kept.push_back(&run);
  }
  return kept;
}

void few_runs(std::size_t count, std::vector<ProfileFinding>& findings) {
  if (count == 0) return;
  add_finding(findings, {1, 1.6, 2.7, 8},
              {"FewRuns",
               {},
               8 / static_cast<double>(count),
               0,
               fmt::format("{} successful runs only", count),
               "import more histories of it"});
}

void instability(const std::vector<const RunPhases*>& runs, std::vector<ProfileFinding>& findings) {
  ProfileFinding worst{"Unstable", {}, 0, 0, {}, "look at --group: do the runs do the same?"};
  for (const NamedPhase& phase : named_phases) {
    std::vector<double> means;
    for (const RunPhases* run : runs) {
      if (!(run->*phase.durations).empty()) means.push_back(mean_of(numbers(run->*phase.durations)));
    }
    const Spread spread = spread_of(means);
    if (spread.runs < 2 || spread.mean < tiny_ms || spread.relative() <= worst.value) continue;
    worst.value = spread.relative();
    worst.text = fmt::format("mean {} lengths of its {} runs vary by {:.0f} %", phase.name, spread.runs,
                             100 * spread.relative());
  }
  add_finding(findings, {0.1, 0.2, 0.4, 0.8}, worst);
}

void outlier_runs(const std::vector<const RunPhases*>& runs, std::vector<ProfileFinding>& findings) {
  for (const NamedPhase& phase : named_phases) {
    std::vector<double> logs;
    std::vector<const RunPhases*> told;
    for (const RunPhases* run : runs) {
      const double mean = mean_of(numbers(run->*phase.durations));
      if (mean < tiny_ms) continue;
      logs.push_back(std::log(mean));
      told.push_back(run);
    }
    if (logs.size() < 5) continue;
    const std::vector<double> z = robust_z(logs, std::log(1.02));
    const double middle = median(logs);
    for (std::size_t i = 0; i < logs.size(); ++i) {
      if (std::abs(z[i]) <= outlier_z) continue;
      const double factor = std::exp(logs[i] - middle);
      add_finding(findings, {1.25, 1.5, 2, 4},
                  {"OutlierRun",
                   {},
                   std::max(factor, 1 / factor),
                   0,
                   fmt::format("{}: {} lengths {:.2f} times the usual ({:.1f} robust deviations)",
                               told[i]->id, phase.name, factor, z[i]),
                   fmt::format("'wavewright profile NAME --why {}' shows its tasks", phase.option)});
    }
  }
}

void skew(const std::vector<const RunPhases*>& runs, std::vector<ProfileFinding>& findings) {
  for (const NamedPhase& phase : named_phases) {
    std::vector<double> ratios, ginis;
    for (const RunPhases* run : runs) {
      const std::vector<double> lengths = numbers(run->*phase.durations);
      const double middle = median(lengths);
      if (lengths.size() < 3 || middle < tiny_ms) continue;
      ratios.push_back(*std::max_element(lengths.begin(), lengths.end()) / middle);
      ginis.push_back(gini(lengths));
    }
    if (ratios.empty()) continue;
    add_finding(findings, {2, 4, 8, 16},
                {"Skew",
                 {},
                 median(ratios),
                 0,
                 fmt::format("the longest {} task takes {:.1f} times the median one (Gini {:.2f})",
                             phase.name, median(ratios), median(ginis)),
                 "see whether it is data or machine below"});
  }
}

void failures(std::span<const RunPhases> runs, std::vector<ProfileFinding>& findings) {
  const auto failed = std::count_if(runs.begin(), runs.end(),
                                    [](const RunPhases& run) { return run.state == RunState::failed; });
  if (runs.empty()) return;
  add_finding(findings, {0.05, 0.1, 0.25, 0.5},
              {"FailedRuns",
               {},
               static_cast<double>(failed) / static_cast<double>(runs.size()),
               0,
               fmt::format("{} of {} runs failed", failed, runs.size()),
               "their time is in no prediction"});
}

void quality_warnings(std::span<const RunPhases> runs, std::vector<ProfileFinding>& findings) {
  Count attempts = 0;
  std::map<std::string, Count> reasons;
  for (const RunPhases& run : runs) {
    for (const AttemptCounts& kind : {run.map_attempts, run.reduce_attempts}) {
      attempts += kind.succeeded + kind.failed + kind.killed + kind.speculative;
    }
    for (const auto& [reason, count] : run.quality_warnings) reasons[reason] += count;
  }
  Count all = 0;
  std::string text;
  for (const auto& [reason, count] : reasons) {
    all += count;
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", reason, count);
  }
  add_finding(findings, {0.001, 0.01, 0.05, 0.2},
              {"Doubts",
               {},
               static_cast<double>(all) / static_cast<double>(std::max<Count>(1, attempts)),
               0,
               text,
               "what could not be repaired is in no phase"});
}

}  // namespace

std::string to_string(Severity severity) {
  constexpr const char* names[] = {"none", "low", "moderate", "severe", "critical"};
  return names[static_cast<std::size_t>(severity)];
}

Severity severity_of(double value, const Thresholds& thresholds) {
  const auto above = std::upper_bound(thresholds.begin(), thresholds.end(), value);
  return static_cast<Severity>(above - thresholds.begin());
}

void add_finding(std::vector<ProfileFinding>& findings, const Thresholds& thresholds,
                 ProfileFinding finding) {
  finding.severity = severity_of(finding.value, thresholds);
  if (finding.severity == Severity::none) return;
  finding.threshold = thresholds[static_cast<std::size_t>(finding.severity) - 1];
  findings.push_back(std::move(finding));
}

std::vector<ProfileFinding> run_findings(std::span<const RunPhases> runs, std::span<const Change> changes) {
  std::vector<ProfileFinding> findings;
  const std::vector<const RunPhases*> good = successful(runs);
  few_runs(good.size(), findings);
  instability(good, findings);
  outlier_runs(good, findings);
  skew(good, findings);
  failures(runs, findings);
  quality_warnings(runs, findings);
  if (!changes.empty()) {
    const Change& last = changes.back();
    add_finding(findings, {1.1, 1.25, 1.5, 2},
                {"Changed",
                 {},
                 std::max(last.factor, 1 / last.factor),
                 0,
                 fmt::format("{} tasks take {:.2f} times as long since {} (p {:.3g})", last.phase,
                             last.factor, last.run, last.p_value),
                 "--before-change takes the older runs too"});
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const ProfileFinding& a, const ProfileFinding& b) { return a.severity > b.severity; });
  return findings;
}

Freshness freshness_of(std::span<const RunPhases> runs, Time now) {
  Freshness fresh;
  std::vector<Time> submitted;
  for (const RunPhases& run : runs) {
    if (run.submit) submitted.push_back(*run.submit);
  }
  if (submitted.empty()) return fresh;
  std::sort(submitted.begin(), submitted.end());
  fresh.newest = submitted.back();
  fresh.age = std::chrono::floor<std::chrono::days>(now - submitted.back());
  if (submitted.size() < 3) return fresh;
  std::vector<double> gaps;
  for (std::size_t i = 1; i < submitted.size(); ++i) {
    gaps.push_back(static_cast<double>((submitted[i] - submitted[i - 1]).count()));
  }
  fresh.interval = ms(std::llround(median(gaps)));
  // A job that ran several times within minutes (somebody tried it) is not stale an hour later.
  constexpr double least_interval_ms = 86'400'000;
  const double interval = std::max(static_cast<double>(fresh.interval->count()), least_interval_ms);
  std::vector<ProfileFinding> found;
  add_finding(found, {3, 7, 14, 30},
              {"Stale",
               {},
               static_cast<double>(fresh.age->count()) / interval,
               0,
               fmt::format("last run {} ago, usually every {}", format_duration(*fresh.age),
                           format_duration(*fresh.interval)),
               "'wavewright import' newer histories; if it did not run since, its data may have grown"});
  if (!found.empty()) fresh.finding = found.front();
  return fresh;
}

}  // namespace wavewright
