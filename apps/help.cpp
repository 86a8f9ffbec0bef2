#include "apps/help.h"

// The help formatter is derived from CLI11's; main.cpp reads the command line.
#include <CLI/Formatter.hpp>

namespace wavewright::app {

namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t name_width = 28;

class Formatter : public CLI::Formatter {
 public:
  Formatter() { column_width(name_width); }

  std::string make_option_desc(const CLI::Option* option) const override {
    return wrap(CLI::Formatter::make_option_desc(option), page_width - name_width);
  }
  std::string make_description(const CLI::App* app) const override {
    return wrap(CLI::Formatter::make_description(app), page_width);
  }
  std::string make_subcommand(const CLI::App* sub) const override {
    std::string line = "  " + sub->get_name();
    line.resize(std::max(line.size() + 1, name_width), ' ');
    std::string text = wrap(sub->get_description(), page_width - name_width);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += name_width) {
      text.insert(++at, name_width, ' ');
    }
    return line + text + "\n";
  }
};

}  // namespace

std::string wrap(const std::string& text, std::size_t width) {
  std::string wrapped;
  std::size_t line = 0;  // its length so far
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t blank = std::min(text.find_first_of(" \n", at), text.size());
    const std::size_t word = blank - at;
    if (line > 0 && line + 1 + word > width) {
      wrapped += '\n';
      line = 0;
    } else if (line > 0) {
      wrapped += ' ';
      ++line;
    }
    wrapped.append(text, at, word);
    line += word;
    if (blank < text.size() && text[blank] == '\n') {
      wrapped += '\n';
      line = 0;
    }
    at = blank + 1;
  }
  return wrapped;
}

std::shared_ptr<CLI::Formatter> help_formatter() {
  return std::make_shared<Formatter>();
}

}  // namespace wavewright::app
