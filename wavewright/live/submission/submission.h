// The command that submits a job, with what the cluster must be told: queue, tag, priority, limits, labels.
//
// A job's command is a program and its arguments; no shell reads them. The settings go in as options of the
// program's kind:
//
//   kind       form               programs                                      place
//   hadoop     -D key=value       hadoop|mapred distcp|pipes|streaming,          behind that word
//                                 hadoop|yarn jar …/hadoop-streaming….jar,       behind the jar
//                                 sqoop TOOL                                     behind the tool
//   pig        -Dkey=value        pig                                            first
//   spark      --conf key=value   spark-submit                                   first
//   hive       --hiveconf k=v     hive, beeline                                  first
//
// Any other command says itself where they go: the argument `{options}`, `{pig_options}`, `{spark_options}`
// or
// `{hive_options}` becomes all of them. Words in an argument are replaced, too: `{queue}`, `{tags}`,
// `{priority}`, `{map_limit}`, `{reduce_limit}` (0 = none), `{label}`, `{id}`, `{name}`, `{user}`. `{{word}}`
// stands for `{word}` itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/quantity.h"
#include "wavewright/job/job.h"

namespace wavewright {

struct SubmissionSettings {
  std::vector<std::string> tags = {};      // by each of which YARN finds the application; at least one
  std::string queue = {};                  // empty = the client's own
  std::optional<int> priority = {};        // of the application; the highest is first
  std::optional<Count> map_limit = {};     // maps that may run at once
  std::optional<Count> reduce_limit = {};  // likewise
  std::optional<double> slowstart = {};    // share of maps done before reduces start
  // Node labels of YARN: maps and reduces run only on nodes with them; empty = on nodes without one. A stage
  // without tasks has the label of the other one. `{label}` and the executors of Spark get that of the maps.
  std::string map_label = {}, reduce_label = {};
};

struct Submission {
  std::vector<std::string> command;
  // Settings that were given and that the command does not take, such as `map_limit` of spark-submit.
  std::vector<std::string> without;
  bool many_applications = false;  // it may start several, one after another (Hive, Pig)
};

// Throws UsageError if the command is empty, does not say where the options go, sets one of the options
// itself, or holds an unknown `{word}`; if a tag is not one that YARN takes; if queue, name, id or user
// would be read as an option or hold control characters; or if id, name or the whole would be too long.
// O(bytes of the command).
[[nodiscard]] Submission submission_of(const Job& job, const SubmissionSettings& settings);

// Tags that YARN takes: of all jobs of a run, and of one of them. All ASCII and lower case, as YARN changes
// capitals. Equal texts give equal tags; others differ, as 64 bits of a hash do.
[[nodiscard]] std::string run_tag(std::string_view run);
[[nodiscard]] std::string job_tag(std::string_view run, std::string_view job_id);

// The command as one would type it in a POSIX shell; for people to read.
[[nodiscard]] std::string shell_text(const std::vector<std::string>& command);

}  // namespace wavewright
