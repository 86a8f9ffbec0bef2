// How Hadoop's programs, Spark and Hive read their own command lines.
//
// Sources: Hadoop 3 (hadoop-functions.sh, GenericOptionsParser), Spark (SparkSubmitOptionParser), Hive
// (bin/hive, hive-config.sh). Texts that are given back lie in the command. Each function is O(bytes of the
// command).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wavewright {

// An option and its value, or a setting and its value.
struct CommandOption {
  std::string_view name, value;
};

// The program's name without its folder. The command is not empty, here and below.
[[nodiscard]] std::string_view program_of(const std::vector<std::string>& command);

// `hadoop`, `mapred` or `yarn`?
[[nodiscard]] bool is_hadoop(std::string_view program);

// The place of the first argument that is no option of the program's own launcher, such as `--config DIR` of
// `hadoop` and `hive`. The command's size if there is none.
[[nodiscard]] std::size_t behind_launcher(const std::vector<std::string>& command);

// The place of the jar of `hadoop jar`, `yarn jar` or `mapred jar`; absent if the command runs none.
[[nodiscard]] std::optional<std::size_t> place_of_jar(const std::vector<std::string>& command);

// Generic options of Hadoop's tools: `files`, `libjars`, `archives`, `conf`, `D` and others, without hyphens.
// They stand before all other arguments of the tool, or behind its main class. Empty for other programs.
[[nodiscard]] std::vector<CommandOption> generic_options(const std::vector<std::string>& command);

struct SparkWords {
  std::vector<CommandOption> options;           // those with a value: `--jars`
  std::optional<std::size_t> application = {};  // the place of the jar or script; absent if there is none
};
// The options of spark-submit, which end at the application. Those behind an unknown option are not known.
[[nodiscard]] SparkWords spark_words(const std::vector<std::string>& command);

// The service that `hive` starts: that of `--service`, else `cli`. Of `beeline` it is `beeline`.
[[nodiscard]] std::string_view hive_service(const std::vector<std::string>& command);

// The setting that one argument makes: `k` and `v` of `-Dk=v`, `--conf=k=v`, `--hiveconf=k=v`, or of `k=v`,
// which stands behind such an option. The name has no blanks around it, as Hadoop removes them. It is empty
// if the argument makes none.
[[nodiscard]] CommandOption setting_in(std::string_view argument);

}  // namespace wavewright
