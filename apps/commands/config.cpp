// `wavewright config`: the settings in force and where they come from; sets and removes them.
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/context.h"
#include "apps/settings/settings.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/store/url.h"

namespace wavewright::app {

namespace {

struct ConfigOptions {
  std::string name, value;
  bool project = false, user = false, system = false;
};

struct SettingShown {
  std::string value;  // empty = not set
  std::string from;   // `flag`, a level, `default`
  std::string place;
};

// A password is nobody's business who looks over a shoulder.
std::string without_secret(const Setting& setting, const std::string& value) {
  return setting.kind == SettingKind::store ? shown_url(value) : value;
}

std::filesystem::path working_folder() {
  std::error_code ignored;
  return std::filesystem::current_path(ignored);
}

SettingShown look_up(const Setting& setting, const Settings& settings, const Context& context) {
  const std::string name = setting.name;
  const std::string flag =
      name == "store" ? context.store : (name == "time_zone" ? context.time_zone : std::string());
  if (!flag.empty()) return {without_secret(setting, flag), "flag", setting.flag};
  if (const auto found = settings.find(name)) {
    return {without_secret(setting, found->value), to_word(found->level), found->place};
  }
  if (name == "store") return {without_secret(setting, context.store_url()), "default", ""};
  return {"", "", ""};
}

int show_all(const Context& context) {
  const Settings settings = Settings::load(working_folder());
  context.note_passed_over(settings);
  Table table{{{"name", "setting"}, {"value", "value"}, {"from", "from"}, {"place", "where"}}, {}};
  Json document = Json::array();
  for (const Setting& setting : all_settings) {
    const SettingShown shown = look_up(setting, settings, context);
    document.push_back({{"name", setting.name},
                        {"value", shown.value.empty() ? Json(nullptr) : Json(shown.value)},
                        {"from", shown.from.empty() ? Json(nullptr) : Json(shown.from)},
                        {"place", shown.place.empty() ? Json(nullptr) : Json(shown.place)}});
    table.rows.push_back({Cell(setting.name), Cell(shown.value.empty() ? "-" : shown.value),
                          Cell(shown.from.empty() ? "not set" : shown.from), Cell(shown.place)});
  }
  if (context.json) {
    context.print({{"settings", std::move(document)}});
  } else {
    write_table(std::cout, table);
  }
  return 0;
}

int get_one(const std::string& name, const Context& context) {
  const Setting& setting = find_setting(name);
  const SettingShown shown = look_up(setting, Settings::load(working_folder()), context);
  if (shown.value.empty()) {
    throw Infeasible(name + " is not set", fmt::format("wavewright config set {} {}", name, setting.example));
  }
  if (context.json) {
    context.print({{"name", name}, {"value", shown.value}, {"from", shown.from}, {"place", shown.place}});
  } else {
    std::cout << shown.value << '\n';
  }
  return 0;
}

std::filesystem::path chosen_file(const ConfigOptions& options) {
  if (options.system) return system_file();
  if (!options.project) return user_file();
  return project_file(working_folder()).value_or(working_folder() / ".wavewright.toml");
}

// A path is meant from here; in the file it stands as the file's folder sees it.
std::string as_seen_from(const std::filesystem::path& file, const Setting& setting, const std::string& value,
                         bool project) {
  constexpr std::string_view sqlite = "sqlite:";
  std::string prefix, path;
  if (setting.kind == SettingKind::path) {
    path = value;
  } else if (setting.kind == SettingKind::store && value.starts_with(sqlite) &&
             !value.starts_with("sqlite::")) {
    prefix = sqlite;
    path = value.substr(sqlite.size());
  } else {
    return value;
  }
  const std::filesystem::path whole = (working_folder() / path).lexically_normal();
  return prefix + (project ? whole.lexically_proximate(file.parent_path()) : whole).string();
}

// Notes where the setting has no effect here, because another one is nearer.
void note_effect(const Setting& setting, const std::filesystem::path& file, bool removed,
                 const Context& context) {
  const auto found = Settings::load(working_folder()).find(setting.name);
  const bool wins = found && found->place.starts_with(file.string() + ":");
  if (found && !wins) {
    context.note(fmt::format("here {} is {}, which the {} says ({})", setting.name,
                             without_secret(setting, found->value), to_word(found->level), found->place));
  } else if (!found && !removed) {
    context.note(std::string(setting.name) +
                 " has no effect here: a nearer setting gives the pool otherwise");
  }
}

// The value that is given, or a line of standard input: the command line is no place for a password.
std::string value_given(const ConfigOptions& options) {
  if (options.value != "-") return options.value;
  std::string line;
  if (!std::getline(std::cin, line) || line.empty())
    throw UsageError("standard input has no value", "write the value there as a line");
  return line;
}

int change(const ConfigOptions& options, bool removes, const Context& context) {
  const Setting& setting = find_setting(options.name);
  const std::filesystem::path file = chosen_file(options);
  if (removes) {
    write_setting(file, setting, std::nullopt);
    context.note(fmt::format("{} is no longer set in {}", setting.name, file.string()));
  } else {
    const std::string given = value_given(options);
    check_setting(setting, given);
    const std::string value = as_seen_from(file, setting, given, options.project);
    write_setting(file, setting, value);
    context.note(fmt::format("{} = {} in {}", setting.name, without_secret(setting, value), file.string()));
  }
  try {
    note_effect(setting, file, removes, context);
  } catch (const Error& error) {  // another setting still has to be mended
    context.note(error.what());
  }
  if (context.json) {
    context.print({{"name", setting.name}, {"file", file.string()}, {"set", !removes}});
  }
  return 0;
}

void offer_files(CLI::App* command, const std::shared_ptr<ConfigOptions>& options) {
  auto* project = command->add_flag("--project", options->project,
                                    ".wavewright.toml, the nearest upwards or a new one here");
  auto* user = command->add_flag("--user", options->user, "the user's file (the default)");
  auto* system = command->add_flag("--system", options->system, "/etc/wavewright/config.toml");
  project->excludes(user)->excludes(system);
  user->excludes(system);
}

CLI::Option* name_of(CLI::App* command, const std::shared_ptr<ConfigOptions>& options) {
  std::vector<std::string> names;
  names.reserve(all_settings.size());
  for (const Setting& setting : all_settings) names.emplace_back(setting.name);
  return offer(command->add_option("SETTING", options->name, "its name"), names)->required();
}

}  // namespace

void add_config(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("config", "Show the settings and where each comes from, or set one");
  std::string about =
      "Flags say it for one command. What is the same every day is a setting: in the environment, in the "
      "nearest .wavewright.toml upwards, in the user's file or in the system's, the nearest "
      "first.\n\nSettings:";
  for (const Setting& setting : all_settings) {
    about += fmt::format("\n  {:18}{}", setting.name, setting.what);
  }
  command->footer(about +
                  "\n\nExample: wavewright config set policy 'fair+delay(3s)'\n"
                  "         wavewright config set cluster cluster.toml --project");
  const auto options = std::make_shared<ConfigOptions>();
  command->require_subcommand(0, 1);

  CLI::App* get = command->add_subcommand("get", "Print one value");
  get->footer("Example: wavewright config get store");
  name_of(get, options);
  get->callback(
      [&context, options] { context.run = [&context, options] { return get_one(options->name, context); }; });

  CLI::App* set = command->add_subcommand("set", "Write a setting into a file");
  set->footer("Example: wavewright config set time_zone Europe/Berlin");
  name_of(set, options);
  set->add_option("VALUE", options->value, "its value; - = a line of standard input")->required();
  offer_files(set, options);
  set->callback([&context, options] {
    context.run = [&context, options] { return change(*options, false, context); };
  });

  CLI::App* unset = command->add_subcommand("unset", "Remove a setting from a file");
  unset->footer("Example: wavewright config unset policy");
  name_of(unset, options);
  offer_files(unset, options);
  unset->callback(
      [&context, options] { context.run = [&context, options] { return change(*options, true, context); }; });

  command->callback([&context, command] {
    if (command->get_subcommands().empty()) context.run = [&context] { return show_all(context); };
  });
}

}  // namespace wavewright::app
