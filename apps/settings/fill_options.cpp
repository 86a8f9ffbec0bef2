#include "apps/settings/fill_options.h"

#include <algorithm>
#include <optional>
#include <set>

#include "apps/option_marks.h"
#include "apps/settings/places.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

constexpr std::string_view setting_mark = "setting ";
constexpr std::string_view asks_mark = "asks for a pool";
constexpr std::string_view without_mark = "without setting ";

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
  return add_mark(option, std::string(setting_mark) + name);
}

std::string setting_of(const CLI::Option& option) {
  return after_mark(option, setting_mark).value_or("");
}

CLI::Option* without_pool_settings(CLI::Option* option) {
  return add_mark(option, std::string(asks_mark));
}

CLI::Option* without_setting(CLI::Option* option, const char* name) {
  (void)find_setting(name);
  return add_mark(option, std::string(without_mark) + name);
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
      note_place(option, found->place);
    } catch (const CLI::ParseError& error) {
      throw UsageError(found->place + ": " + error.what(), "wavewright config shows all settings");
    }
  }
}

}  // namespace wavewright::app
