// Findings for single tasks: slow nodes, stragglers, and data or machine skew.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "wavewright/profile/findings.h"
#include "wavewright/profile/robust.h"
#include "wavewright/profile/task_times.h"

namespace wavewright {

namespace {

constexpr std::size_t least_tasks = 5;  // of a kind in a run, for a reliable median

// A task compared with the others of its kind in its run.
struct Sample {
  std::string task;
  std::string attempt;
  std::string node;
  double log_length = 0;            // relative to the run's median
  double z = 0;                     // robust, of the logarithms
  std::optional<double> log_bytes;  // relative to the run's median; absent if some are unknown
};

double length_of(const TaskTime& time, TaskKind kind) {
  const std::optional<Duration>& length = kind == TaskKind::map ? time.map : time.reduce;
  return length ? static_cast<double>(length->count()) : 0;
}

void add_run(const JobRun& run, TaskKind kind, std::vector<Sample>& samples) {
  std::vector<Sample> own;
  std::vector<double> lengths, bytes;
  for (const TaskTime& time : task_times(run)) {
    if (time.task->kind != kind || length_of(time, kind) <= 0) continue;
    own.push_back({time.task->id, time.attempt->id, time.attempt->node, 0, 0, {}});
    lengths.push_back(std::log(length_of(time, kind)));
    if (time.task->input && time.task->input->count > 0) {
      bytes.push_back(std::log(static_cast<double>(time.task->input->count)));
    }
  }
  if (own.size() < least_tasks) return;
  const std::vector<double> z = robust_z(lengths, std::log(1.05));
  const double middle = median(lengths);
  const double middle_bytes = median(bytes);
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i].log_length = lengths[i] - middle;
    own[i].z = z[i];
    if (bytes.size() == own.size()) own[i].log_bytes = bytes[i] - middle_bytes;
    samples.push_back(std::move(own[i]));
  }
}

void slow_nodes(const std::vector<Sample>& samples, const char* kind, std::vector<ProfileFinding>& findings) {
  std::map<std::string, std::vector<double>> by_node;
  for (const Sample& sample : samples) by_node[sample.node].push_back(sample.log_length);
  for (const auto& [node, own] : by_node) {
    std::vector<double> others;
    for (const Sample& sample : samples) {
      if (sample.node != node) others.push_back(sample.log_length);
    }
    if (node.empty() || rank_sum_p(own, others) * static_cast<double>(by_node.size()) > 0.01) continue;
    const double factor = std::exp(median(own) - median(others));
    add_finding(
        findings, {1.2, 1.5, 2, 4},
        {"SlowNode",
         {},
         factor,
         0,
         fmt::format("{} tasks on {} take {:.2f} times as long as on other nodes ({} tasks, p {:.2g})", kind,
                     node, factor, own.size(), rank_sum_p(own, others)),
         "look at the node: disk, memory, other load"});
  }
}

void stragglers(const std::vector<Sample>& samples, const char* kind, std::vector<ProfileFinding>& findings) {
  const Sample* worst = nullptr;
  std::size_t count = 0;
  for (const Sample& sample : samples) {
    if (sample.z <= outlier_z || sample.log_length < std::log(2.0)) continue;
    ++count;
    if (worst == nullptr || sample.log_length > worst->log_length) worst = &sample;
  }
  if (worst == nullptr) return;
  add_finding(findings, {2, 4, 8, 16},
              {"Straggler",
               {},
               std::exp(worst->log_length),
               0,
               fmt::format("{} of {} {} tasks far above their run's median; the worst {:.1f} times: {}{}{}",
                           count, samples.size(), kind, std::exp(worst->log_length), worst->attempt,
                           worst->node.empty() ? "" : " on ", worst->node),
               "speculation (mapreduce.map.speculative) helps where the machine is the reason"});
}

void skew_cause(const std::vector<Sample>& samples, const char* kind, std::vector<ProfileFinding>& findings) {
  std::vector<double> lengths, bytes;
  double longest = 0;
  for (const Sample& sample : samples) {
    if (!sample.log_bytes) continue;
    lengths.push_back(sample.log_length);
    bytes.push_back(*sample.log_bytes);
    longest = std::max(longest, sample.log_length);
  }
  if (lengths.size() < 2 * least_tasks) return;
  const double correlation = rank_correlation(bytes, lengths);
  const bool data = correlation >= 0.6;
  add_finding(
      findings, {2, 4, 8, 16},
      {data ? "DataSkew" : "MachineSkew",
       {},
       std::exp(longest),
       0,
       fmt::format("lengths of {} tasks {} their bytes (rank correlation {:.2f})", kind,
                   data ? "follow" : "do not follow", correlation),
       data ? "more or better spread keys (partitioner, number of reduces)" : "see nodes and stragglers"});
}

}  // namespace

std::vector<ProfileFinding> task_findings(std::span<const JobRun> runs) {
  std::vector<ProfileFinding> findings;
  for (const auto& [kind, name] : {std::pair(TaskKind::map, "map"), std::pair(TaskKind::reduce, "reduce")}) {
    std::vector<Sample> samples;
    for (const JobRun& run : runs) {
      if (run.state == RunState::succeeded) add_run(run, kind, samples);
    }
    slow_nodes(samples, name, findings);
    stragglers(samples, name, findings);
    skew_cause(samples, name, findings);
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const ProfileFinding& a, const ProfileFinding& b) { return a.severity > b.severity; });
  return findings;
}

}  // namespace wavewright
