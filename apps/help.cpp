#include "apps/help.h"

// The help formatter is derived from CLI11's; main.cpp reads the command line.
#include <CLI/Formatter.hpp>

namespace wavewright::app {

namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t name_width = 28;

// A command of an example, broken before a flag where it is too long: a shell goes on after the `\`.
std::string broken_command(const std::string& line) {
  constexpr std::size_t indent = 11;
  std::string text, rest = line;
  while (rest.size() > page_width) {
    const std::size_t flag = rest.rfind(" --", page_width - 3);
    if (flag == std::string::npos || flag <= indent) break;
    text += rest.substr(0, flag) + " \\\n";
    rest = std::string(indent, ' ') + rest.substr(flag + 1);
  }
  return text + rest;
}

std::string fitted_footer(const std::string& footer) {
  std::string text;
  for (std::size_t at = 0; at <= footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string line = footer.substr(at, end - at);
    const bool command = line.starts_with("Example: ") || line.starts_with("         ");
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    text += (at > 0 ? "\n" : "");
    text += command ? broken_command(line) : indent > 0 ? line : wrap(line, page_width);
    at = end + 1;
  }
  return text;
}

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
  std::string make_footer(const CLI::App* app) const override {
    const std::string text = app->get_footer();
    return text.empty() ? text : fitted_footer(text) + "\n";
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
