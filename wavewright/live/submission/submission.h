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
// Options of the launchers of hadoop and hive stay before them: `--config DIR`, `--service cli`. Any other
// command says itself where they go: the argument `{options}`, `{pig_options}`, `{spark_options}` or
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
  // Executors that Spark may have at once, where it allocates them dynamically: it has no maps, and no
  // plug-in holds it to a number.
  std::optional<Count> executor_limit = {};
  std::optional<double> slowstart = {};  // share of maps done before reduces start
  // Node labels of YARN: maps and reduces run only on nodes with them; empty = on nodes without one. A stage
  // without tasks has the label of the other one. `{label}` and the executors of Spark get that of the maps.
  std::string map_label = {}, reduce_label = {};
};

struct Submission {
  std::vector<std::string> command;
  // Settings that were given and that the command does not take, such as `reduce_limit` of spark-submit. It
  // has `map_limit` where Spark has no `executor_limit` or asks for more executors itself. A query of Hive
  // whose command says that it runs on Tez takes tags and queue alone.
  std::vector<std::string> without;
  std::vector<std::string> keys = {};  // of the settings that were added as options
  // Where the command is taken, but YARN may not find its applications: a sentence each (hive_notes).
  std::vector<std::string> notes = {};
  // It may start several, one after another: Hive, Pig, `sqoop import-all-tables`, and what the job says of a
  // command of its own.
  bool many_applications = false;
  // It is sure to submit as the user of the account that runs it, to the queue of the settings. Hadoop's own
  // programs, Sqoop, Pig and spark-submit do. A script may do otherwise, and Hive's server may be another
  // user.
  bool as_its_account = false;
};

// Throws UsageError if the command is empty, does not say where the options go, sets one of the options
// itself (own_settings.h), starts a service of Hive that takes none, or holds an unknown `{word}`; if a tag
// is not one that YARN takes; if queue, name, id or user would be read as an option or hold control
// characters; or if one of these, the profile or the whole would be too long. O(bytes of the command).
[[nodiscard]] Submission submission_of(const Job& job, const SubmissionSettings& settings);
// Throws UsageError if id, name, user or profile of the job, or the queue, is too long for messages and
// lists.
void refuse_long_texts(const Job& job, const std::string& queue);

// Tags that YARN takes: of all jobs of a run, and of one of them. All ASCII and lower case, as YARN changes
// capitals. Equal texts give equal tags; others differ, as 64 bits of a hash do.
[[nodiscard]] std::string run_tag(std::string_view run);
[[nodiscard]] std::string job_tag(std::string_view run, std::string_view job_id);

// The command as one would type it in a POSIX shell; for people to read.
[[nodiscard]] std::string shell_text(const std::vector<std::string>& command);

}  // namespace wavewright
