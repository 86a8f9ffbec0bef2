#include "wavewright/live/submission/program_options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/live/submission/command_words.h"
#include "wavewright/live/submission/own_settings.h"

namespace wavewright {

namespace {

// The application master has the label of the maps, and none if a stage has none: there are nodes without a
// label then.
std::string master_label(const SubmissionSettings& settings) {
  return settings.reduce_label.empty() ? std::string() : settings.map_label;
}

// The most executors that the command itself asks Spark for, at the start or at all times; absent = it does
// not.
std::optional<Count> asked_executors(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 4> settings = {"--num-executors", "spark.executor.instances",
                                                               "spark.dynamicAllocation.minExecutors",
                                                               "spark.dynamicAllocation.initialExecutors"};
  std::optional<Count> most;
  for (std::size_t i = 0; i < command.size(); ++i) {
    std::string_view text = command[i];
    if (constexpr std::string_view joined = "--conf="; text.starts_with(joined))
      text.remove_prefix(joined.size());
    for (const std::string_view setting : settings) {
      if (!text.starts_with(setting)) continue;
      std::string_view number = text.substr(setting.size());
      if (number.starts_with('=')) {
        number.remove_prefix(1);
      } else if (number.empty() && i + 1 < command.size()) {
        number = command[i + 1];
      }
      Count asked = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), asked).ec == std::errc{})
        most = std::max(most.value_or(asked), asked);
    }
  }
  return most;
}

// Does the command say that Hive runs its queries on Tez? What hive-site.xml says is not known.
bool says_tez(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(), [](const std::string& argument) {
    const CommandOption setting = setting_in(argument);
    return setting.name == "hive.execution.engine" && setting.value == "tez";
  });
}

// Tez reads none of MapReduce's settings but those that Hive hands on.
std::vector<std::string> not_for_tez(const SubmissionSettings& settings) {
  std::vector<std::string> without;
  if (settings.priority) without.emplace_back("priority");
  if (settings.map_limit) without.emplace_back("map_limit");
  if (settings.reduce_limit) without.emplace_back("reduce_limit");
  if (settings.slowstart) without.emplace_back("slowstart");
  if (!settings.map_label.empty()) without.emplace_back("label");
  if (settings.reduce_label != settings.map_label) without.emplace_back("reduce_label");
  return without;
}

// Does what the command says last of `hive.query.tag`, in an option or with `set` in a script, hold the tags?
bool tags_queries(const std::vector<std::string>& command, const std::string& tags) {
  constexpr std::string_view key = "hive.query.tag";
  bool holds = false;
  for (const std::string& argument : command) {
    if (setting_in(argument).name == key || sets_in_script(argument, key))
      holds = argument.find(tags) != std::string::npos;
  }
  return holds;
}

OptionsPlace place_of_hive(const std::vector<std::string>& command) {
  const std::string_view service = hive_service(command);
  if (service == "cli" || service == "beeline")
    return OptionsPlace{ProgramKind::hive, behind_launcher(command)};
  throw UsageError(fmt::format("its command starts '{}' of Hive, which takes no settings of a job", service),
                   "start cli or beeline, or put {hive_options} where --hiveconf may stand");
}

}  // namespace

const KindWords& words_of(ProgramKind kind) {
  return *std::find_if(program_kinds.begin(), program_kinds.end(),
                       [&](const KindWords& each) { return each.kind == kind; });
}

std::string tags_text(const SubmissionSettings& settings) {
  return fmt::format("{}", fmt::join(settings.tags, ","));
}

ProgramOptions options_for(ProgramKind kind, const SubmissionSettings& settings,
                           const std::vector<std::string>& command) {
  ProgramOptions options;
  const auto add = [&](std::string_view key, const std::string& value) {
    options.given.push_back({std::string(key), value});
  };
  const auto number = [](const auto& value) { return fmt::format("{}", *value); };
  if (kind == ProgramKind::spark) {
    add("spark.yarn.tags", tags_text(settings));
    if (!settings.queue.empty()) add("spark.yarn.queue", settings.queue);
    if (settings.priority) add("spark.yarn.priority", number(settings.priority));
    if (const std::string label = master_label(settings); !label.empty())
      add("spark.yarn.am.nodeLabelExpression", label);
    if (!settings.map_label.empty()) add("spark.yarn.executor.nodeLabelExpression", settings.map_label);
    // Spark refuses a job that begins with more executors than it may have.
    const std::optional<Count>& most = settings.executor_limit;
    if (most && asked_executors(command).value_or(0) <= *most) {
      add("spark.dynamicAllocation.maxExecutors", number(most));
    } else if (most || settings.map_limit) {
      options.without.emplace_back("map_limit");
    }
    if (settings.reduce_limit) options.without.emplace_back("reduce_limit");
    if (settings.slowstart) options.without.emplace_back("slowstart");
    if (settings.reduce_label != settings.map_label) options.without.emplace_back("reduce_label");
    return options;
  }
  add("mapreduce.job.tags", tags_text(settings));
  if (!settings.queue.empty()) add("mapreduce.job.queuename", settings.queue);
  if (kind == ProgramKind::hive) {  // which may run on Tez
    add("tez.application.tags", tags_text(settings));
    if (!settings.queue.empty()) add("tez.queue.name", settings.queue);
    if (says_tez(command)) options.without = not_for_tez(settings);
  }
  if (settings.priority) add("mapreduce.job.priority", number(settings.priority));
  if (settings.map_limit) add("mapreduce.job.running.map.limit", number(settings.map_limit));
  if (settings.reduce_limit) add("mapreduce.job.running.reduce.limit", number(settings.reduce_limit));
  if (settings.slowstart) add("mapreduce.job.reduce.slowstart.completedmaps", number(settings.slowstart));
  if (const std::string label = master_label(settings); !label.empty())
    add("mapreduce.job.node-label-expression", label);
  if (!settings.map_label.empty()) add("mapreduce.map.node-label-expression", settings.map_label);
  if (!settings.reduce_label.empty()) add("mapreduce.reduce.node-label-expression", settings.reduce_label);
  return options;
}

OptionsPlace known_place(const std::vector<std::string>& command) {
  const std::string_view program = program_of(command);
  if (program == "spark-submit") return OptionsPlace{ProgramKind::spark, 1};
  if (program == "hive" || program == "beeline") return place_of_hive(command);
  if (program == "pig") return OptionsPlace{ProgramKind::pig, 1};
  if (program == "sqoop" && command.size() > 1) {
    if (!command[1].starts_with('-')) return OptionsPlace{ProgramKind::hadoop, 2};
    throw UsageError(fmt::format("its command has '{}' where Sqoop's tool stands", command[1]),
                     "begin with the tool, as in sqoop import, or put {options} behind it");
  }
  if (!is_hadoop(program)) return {};
  if (const std::optional<std::size_t> place = place_of_jar(command)) {
    std::string_view jar = command[*place];
    jar.remove_prefix(jar.rfind('/') + 1);  // nothing without a slash
    const bool streams = jar.starts_with("hadoop-streaming") && jar.ends_with(".jar");
    return streams ? OptionsPlace{ProgramKind::hadoop, *place + 1} : OptionsPlace{};
  }
  static constexpr std::array<std::string_view, 3> tools = {"distcp", "pipes", "streaming"};
  const std::size_t at = behind_launcher(command);
  if (at == command.size() || std::find(tools.begin(), tools.end(), command[at]) == tools.end()) return {};
  return OptionsPlace{ProgramKind::hadoop, at + 1};
}

std::vector<std::string> hive_notes(const std::vector<std::string>& command,
                                    const SubmissionSettings& settings) {
  std::vector<std::string> notes;
  if (std::find(command.begin(), command.end(), "jdbc:hive2://") != command.end()) {
    notes.emplace_back(
        "With jdbc:hive2:// Beeline passes no settings on, neither queue nor tags: write jdbc:hive2:///");
  }
  if (!tags_queries(command, tags_text(settings))) {
    notes.emplace_back(
        "Hive 4 sets the tags of its queries itself, so that its applications are not found: add "
        "--hiveconf hive.query.tag={tags} to the command");
  }
  return notes;
}

bool starts_one_per_table(const std::vector<std::string>& command) {
  return program_of(command) == "sqoop" && command.size() > 1 && command[1] == "import-all-tables";
}

bool submits_as_its_account(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 6> programs = {"hadoop", "mapred", "yarn",
                                                               "sqoop",  "pig",    "spark-submit"};
  if (std::find(programs.begin(), programs.end(), program_of(command)) == programs.end()) return false;
  // spark-submit's own options: another queue, another user.
  static constexpr std::array<std::string_view, 3> others = {"--queue", "--proxy-user", "--principal"};
  return std::none_of(command.begin(), command.end(), [](std::string_view argument) {
    argument = argument.substr(0, argument.find('='));
    return std::find(others.begin(), others.end(), argument) != others.end();
  });
}

}  // namespace wavewright
