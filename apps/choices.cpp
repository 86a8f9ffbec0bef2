#include "apps/choices.h"

#include <fmt/ranges.h>

#include "apps/option_marks.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

// The words, each followed by a blank, are a mark of the option.
constexpr std::string_view offers = "offers ";

}  // namespace

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.empty() || word.find_first_of(" \t\n'\"\\`$") != std::string::npos)
      throw InternalError("the word '" + word + "' cannot be offered to a shell");
  }
  return add_mark(option, std::string(offers) + fmt::format("{}", fmt::join(words, " ")));
}

std::vector<std::string> offered(const CLI::Option& option) {
  const std::optional<std::string> words = after_mark(option, offers);
  return words ? CLI::detail::split(*words, ' ') : std::vector<std::string>();
}

}  // namespace wavewright::app
