#include "apps/settings/fill_options.h"

#include <algorithm>
#include <optional>
#include <set>

#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

// As in choices.cpp, a mark is the name of a validator that accepts everything.
constexpr std::string_view setting_mark = "setting ";
constexpr std::string_view asks_mark = "asks for a pool";
constexpr std::string_view without_mark = "without setting ";

CLI::Option* marked(CLI::Option* option, const std::string& name) {
  CLI::Validator accepts_all;
  accepts_all.name(name);
  return option->check(accepts_all);
}

// The rest of the option's mark that begins with `mark`; nothing if it has no such mark.
std::optional<std::string> after_mark(const CLI::Option& option, std::string_view mark) {
  // CLI11's access to validators is not const, though it changes nothing.
  auto& readable = const_cast<CLI::Option&>(option);
  try {
    for (int index = 0;; ++index) {
      const std::string name = readable.get_validator(index)->get_name();
      if (name.starts_with(mark)) return name.substr(mark.size());
    }
  } catch (const CLI::OptionNotFound&) {
    return std::nullopt;
  }
}

bool is_given(const CLI::Option* option) {
  return option->count() > 0;
}

bool excluded(const CLI::Option& option) {
  const auto& others = option.get_excludes();
  return std::any_of(others.begin(), others.end(), is_given);
}

}  // namespace

CLI::Option* from_setting(CLI::Option* option, const char* name) {
  (void)find_setting(name);
  return marked(option, std::string(setting_mark) + name);
}

std::string setting_of(const CLI::Option& option) {
  return after_mark(option, setting_mark).value_or("");
}

CLI::Option* without_pool_settings(CLI::Option* option) {
  return marked(option, std::string(asks_mark));
}

CLI::Option* without_setting(CLI::Option* option, const char* name) {
  (void)find_setting(name);
  return marked(option, std::string(without_mark) + name);
}

void fill_from_settings(const CLI::App& chosen, const Settings& settings) {
  bool cluster_given = false, slots_given = false;
  std::set<std::string> meaningless;
  for (const CLI::Option* option : chosen.get_options(is_given)) {
    const std::string name = setting_of(*option);
    const bool asks = after_mark(*option, asks_mark).has_value();
    if (const auto without = after_mark(*option, without_mark)) meaningless.insert(*without);
    cluster_given = cluster_given || asks || name == "cluster";
    slots_given = slots_given || asks || in_slots(name);
  }
  for (const CLI::Option* each : chosen.get_options()) {
    const std::string name = setting_of(*each);
    if (name.empty() || is_given(each) || excluded(*each) || meaningless.contains(name)) continue;
    if ((name == "cluster" && slots_given) || (in_slots(name) && cluster_given)) continue;
    const std::optional<SettingValue> found = settings.find(name);
    if (!found) continue;
    auto* option = const_cast<CLI::Option*>(each);  // CLI11 lists the options of a parsed command as const
    try {
      option->add_result(found->value);
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      throw UsageError(found->place + ": " + error.what(), "wavewright config shows all settings");
    }
  }
}

}  // namespace wavewright::app
