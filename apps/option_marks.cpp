#include "apps/option_marks.h"

namespace wavewright::app {

CLI::Option* add_mark(CLI::Option* option, const std::string& mark) {
  CLI::Validator accepts_all;
  accepts_all.name(mark);
  return option->check(accepts_all);
}

std::optional<std::string> after_mark(const CLI::Option& option, std::string_view start) {
  // CLI11's access to validators is not const, though it changes nothing.
  auto& readable = const_cast<CLI::Option&>(option);
  try {
    for (int index = 0;; ++index) {
      const std::string name = readable.get_validator(index)->get_name();
      if (name.starts_with(start)) return name.substr(start.size());
    }
  } catch (const CLI::OptionNotFound&) {
    return std::nullopt;
  }
}

}  // namespace wavewright::app
