#include "apps/settings/places.h"

#include <algorithm>

#include "apps/option_marks.h"
#include "apps/settings/fill_options.h"

namespace wavewright::app {

namespace {

constexpr std::string_view place_mark = "comes from ";

// Does the text have the flag as a whole word?
bool names(const std::string& text, const std::string& flag) {
  for (std::size_t at = text.find(flag); at != std::string::npos; at = text.find(flag, at + 1)) {
    const std::size_t end = at + flag.size();
    const bool longer = end < text.size() && (text[end] == '-' || (text[end] >= 'a' && text[end] <= 'z'));
    if (!longer) return true;
  }
  return false;
}

bool tells_of(const std::string& text, const CLI::Option& option) {
  constexpr std::size_t telling = 4;  // characters: a shorter value is in many a text
  if (names(text, option.get_name())) return true;
  const std::string setting = setting_of(option);
  if (in_slots(setting))
    return text.find(setting == "map_slots" ? "map slot" : "reduce slot") != std::string::npos;
  return std::any_of(option.results().begin(), option.results().end(), [&](const std::string& value) {
    return value.size() >= telling && text.find(value) != std::string::npos;
  });
}

}  // namespace

void note_place(CLI::Option* option, const std::string& place) {
  add_mark(option, std::string(place_mark) + place);
}

std::string with_places(std::string line, const CLI::App& root) {
  std::string places;
  for (const CLI::App* level = &root; level != nullptr;) {
    for (const CLI::Option* option : level->get_options()) {
      const auto place = after_mark(*option, place_mark);
      if (place && tells_of(line, *option)) places += "; " + option->get_name() + " comes from " + *place;
    }
    const auto below = level->get_subcommands();
    level = below.empty() ? nullptr : below.front();
  }
  return line + places;
}

}  // namespace wavewright::app
