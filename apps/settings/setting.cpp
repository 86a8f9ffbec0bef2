#include "apps/settings/setting.h"

#include <algorithm>
#include <vector>

#include "apps/settings/time_zone.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/store/url.h"

namespace wavewright::app {

namespace {

bool only_digits(const std::string& text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

const Setting& find_setting(std::string_view name) {
  std::vector<std::string> names;
  for (const Setting& setting : all_settings) {
    if (setting.name == name) return setting;
    names.emplace_back(setting.name);
  }
  throw UsageError("unknown setting '" + std::string(name) + "'", suggestion(name, names));
}

void check_setting(const Setting& setting, const std::string& value) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(std::string(setting.name) + " '" + value + "' " + why,
                     std::string("write it like ") + setting.example);
  };
  if (value.empty()) refuse("is empty");
  switch (setting.kind) {
    case SettingKind::count:
      if (!only_digits(value)) refuse("is not a whole number");
      break;
    case SettingKind::percent:
      if (!only_digits(value) || std::stoi(value) < 5 || std::stoi(value) > 99) {
        refuse("is not a percentage from 5 to 99");
      }
      break;
    case SettingKind::store:
      (void)parse_store_url(value);
      break;
    case SettingKind::zone:
      check_time_zone(value);
      break;
    case SettingKind::text:
    case SettingKind::path:
      break;
  }
}

}  // namespace wavewright::app
