#include "apps/settings/setting.h"

#include <charconv>
#include <optional>
#include <vector>

#include "apps/settings/time_zone.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/store/url.h"

namespace wavewright::app {

namespace {

// The number that a text of digits alone is; none if it is something else, or too large.
std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, failed] = std::from_chars(text.data(), end, number);
  if (text.starts_with('-') || failed != std::errc{} || last != end) return std::nullopt;
  return number;
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
      if (!whole_number(value)) refuse("is not a whole number");
      break;
    case SettingKind::percent:
      if (const auto percent = whole_number(value).value_or(0); percent < 5 || percent > 99) {
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
