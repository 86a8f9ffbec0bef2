#include "wavewright/live/submission/command_environment.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "wavewright/core/keytab.h"
#include "wavewright/store/url.h"

namespace wavewright {

namespace {

constexpr std::array<std::string_view, 2> secrets = {"WAVEWRIGHT_STORE_PASSWORD=", "WAVEWRIGHT_TOKEN="};
constexpr std::string_view store = "WAVEWRIGHT_STORE=";

bool is_secret(std::string_view entry) {
  return std::any_of(secrets.begin(), secrets.end(),
                     [&](std::string_view secret) { return entry.starts_with(secret); });
}

}  // namespace

std::vector<std::string> environment_of_commands() {
  std::vector<std::string> entries = environment_for_children();
  std::erase_if(entries, is_secret);
  for (std::string& entry : entries) {
    if (!entry.starts_with(store)) continue;
    const std::string url = entry.substr(store.size());
    if (!url.starts_with("sqlite:")) entry = std::string(store) + shown_url(url);
  }
  return entries;
}

}  // namespace wavewright
