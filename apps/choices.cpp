#include "apps/choices.h"

#include <fmt/ranges.h>

#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

// CLI11 lets an option carry nothing of ours but validators. So the words, each followed by a blank, are the
// name of a validator that accepts everything and adds nothing to the help.
constexpr std::string_view mark = "offers ";

}  // namespace

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.empty() || word.find_first_of(" \t\n'\"\\`$") != std::string::npos)
      throw InternalError("the word '" + word + "' cannot be offered to a shell");
  }
  CLI::Validator accepts_all;
  accepts_all.name(std::string(mark) + fmt::format("{}", fmt::join(words, " ")));
  return option->check(accepts_all);
}

std::vector<std::string> offered(const CLI::Option& option) {
  // CLI11's access to validators is not const, though it changes nothing.
  auto& readable = const_cast<CLI::Option&>(option);
  try {
    for (int index = 0;; ++index) {
      const std::string name = readable.get_validator(index)->get_name();
      if (name.starts_with(mark)) return CLI::detail::split(name.substr(mark.size()), ' ');
    }
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

}  // namespace wavewright::app
