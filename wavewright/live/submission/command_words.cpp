#include "wavewright/live/submission/command_words.h"

#include <algorithm>
#include <array>
#include <span>

namespace wavewright {

namespace {

using Words = std::span<const std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The place behind the options of a launcher, each of which has a value or none.
std::size_t behind(const std::vector<std::string>& command, Words with_value, Words alone) {
  std::size_t at = 1;
  while (at < command.size()) {
    const std::string_view word = command[at];
    const bool debug = word.starts_with("--debug");  // Hive's may have its port joined: --debug:port=8000
    if (is_one_of(word, with_value)) {
      at += 2;
    } else if (debug || is_one_of(word, alone)) {
      ++at;
    } else {
      break;
    }
  }
  return std::min(at, command.size());
}

std::string_view word_at(const std::vector<std::string>& command, std::size_t at) {
  return at < command.size() ? std::string_view(command[at]) : std::string_view();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Where the generic options of a tool begin; absent for a program that has none.
std::optional<std::size_t> first_generic(const std::vector<std::string>& command) {
  const std::string_view program = program_of(command);
  if (program == "pig") return std::size_t{1};
  if (program == "sqoop") return std::size_t{2};
  if (!is_hadoop(program)) return std::nullopt;
  if (const std::optional<std::size_t> jar = place_of_jar(command)) {
    const bool has_class = !word_at(command, *jar + 1).starts_with('-');
    return *jar + (has_class ? 2 : 1);
  }
  static constexpr std::array<std::string_view, 3> tools = {"distcp", "pipes", "streaming"};
  const std::size_t at = behind_launcher(command);
  if (!is_one_of(word_at(command, at), tools)) return std::nullopt;
  return at + 1;
}

}  // namespace

std::string_view program_of(const std::vector<std::string>& command) {
  const std::string_view path = command.front();
  return path.substr(path.rfind('/') + 1);  // all of it without a slash
}

bool is_hadoop(std::string_view program) {
  return program == "hadoop" || program == "mapred" || program == "yarn";
}

std::size_t behind_launcher(const std::vector<std::string>& command) {
  const std::string_view program = program_of(command);
  if (is_hadoop(program)) {
    static constexpr std::array<std::string_view, 6> with_value = {"--conf",  "--config",    "--daemon",
                                                                   "--hosts", "--hostnames", "--loglevel"};
    static constexpr std::array<std::string_view, 2> alone = {"--buildpaths", "--workers"};
    return behind(command, with_value, alone);
  }
  if (program == "hive") {
    static constexpr std::array<std::string_view, 3> with_value = {"--config", "--auxpath", "--service"};
    static constexpr std::array<std::string_view, 2> alone = {"--skiphadoopversion", "--skiphbasecp"};
    return behind(command, with_value, alone);
  }
  return std::min<std::size_t>(1, command.size());
}

std::optional<std::size_t> place_of_jar(const std::vector<std::string>& command) {
  if (!is_hadoop(program_of(command))) return std::nullopt;
  const std::size_t at = behind_launcher(command);
  if (word_at(command, at) != "jar" || at + 1 >= command.size()) return std::nullopt;
  return at + 1;
}

std::vector<CommandOption> generic_options(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 8> known = {"archives", "conf", "D",       "files",
                                                            "fs",       "jt",   "libjars", "tokenCacheFile"};
  std::vector<CommandOption> options;
  const std::optional<std::size_t> first = first_generic(command);
  for (std::size_t i = first.value_or(command.size()); i < command.size(); ++i) {
    std::string_view word = command[i];
    if (!word.starts_with('-')) break;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const std::size_t equals = word.find('=');
    if (is_one_of(word, known)) {
      if (i + 1 < command.size()) options.push_back({word, command[i + 1]});
      ++i;
    } else if (equals != std::string_view::npos && is_one_of(word.substr(0, equals), known)) {
      options.push_back({word.substr(0, equals), word.substr(equals + 1)});
    } else if (word.starts_with('D') && equals != std::string_view::npos) {
      options.push_back({word.substr(0, 1), word.substr(1)});
    } else {
      break;
    }
  }
  return options;
}

SparkWords spark_words(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 34> with_value = {"--archives",
                                                                  "--class",
                                                                  "--conf",
                                                                  "-c",
                                                                  "--deploy-mode",
                                                                  "--driver-class-path",
                                                                  "--driver-cores",
                                                                  "--driver-java-options",
                                                                  "--driver-library-path",
                                                                  "--driver-memory",
                                                                  "--exclude-packages",
                                                                  "--executor-cores",
                                                                  "--executor-memory",
                                                                  "--files",
                                                                  "--jars",
                                                                  "--keytab",
                                                                  "--kill",
                                                                  "--kubernetes-master",
                                                                  "--kubernetes-namespace",
                                                                  "--master",
                                                                  "--name",
                                                                  "--num-executors",
                                                                  "--packages",
                                                                  "--principal",
                                                                  "--properties-file",
                                                                  "--proxy-user",
                                                                  "--py-files",
                                                                  "--queue",
                                                                  "--remote",
                                                                  "--repositories",
                                                                  "--status",
                                                                  "--total-executor-cores",
                                                                  "--upload-driver-extra-classpath",
                                                                  "--upload-jars"};
  static constexpr std::array<std::string_view, 8> alone = {
      "--help",    "-h", "--supervise", "--usage-error",
      "--verbose", "-v", "--version",   "--load-spark-defaults"};
  SparkWords words;
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string_view word = command[i];
    const std::size_t equals = word.find('=');
    if (is_one_of(word, with_value)) {
      if (i + 1 < command.size()) words.options.push_back({word, command[i + 1]});
      ++i;
    } else if (word.starts_with("--") && equals != std::string_view::npos && equals + 1 < word.size() &&
               is_one_of(word.substr(0, equals), with_value)) {
      words.options.push_back({word.substr(0, equals), word.substr(equals + 1)});
    } else if (!is_one_of(word, alone)) {
      if (!word.starts_with('-')) words.application = i;
      break;
    }
  }
  return words;
}

std::string_view hive_service(const std::vector<std::string>& command) {
  if (program_of(command) == "beeline") return "beeline";
  std::string_view service = "cli";
  for (std::size_t i = 1; i + 1 < command.size(); ++i) {
    if (command[i] == "--service") service = command[i + 1];
  }
  return service;
}

CommandOption setting_in(std::string_view argument) {
  static constexpr std::array<std::string_view, 8> joined = {
      "--hiveconf=", "-hiveconf=", "--conf=", "--jobconf=", "-jobconf=", "--D=", "-D=", "-D"};
  const auto* const option = std::find_if(joined.begin(), joined.end(),
                                          [&](std::string_view each) { return argument.starts_with(each); });
  if (option != joined.end()) argument.remove_prefix(option->size());
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return {};
  return {trimmed(argument.substr(0, equals)), argument.substr(equals + 1)};
}

}  // namespace wavewright
