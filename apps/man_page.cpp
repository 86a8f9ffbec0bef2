#include "apps/man_page.h"

#include <ostream>

#include <fmt/ranges.h>

#include "apps/settings/setting.h"
#include "apps/version.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright::app {

namespace {

// A typed `-` must stay one; a line must not begin with a roff request.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// Text that keeps its line breaks.
std::string paragraphs(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t word = std::min(text.find_first_not_of(' ', at), end);
    if (at > 0) out += ".br\n";
    if (word < end) out += escaped(text.substr(word, end - word)) + "\n";
    at = end + 1;
  }
  return out;
}

std::string title(const CommandEntry& command) {
  return command.path.empty() ? "wavewright" : "wavewright-" + command.joined("-");
}

std::string typed(const CommandEntry& command) {
  return command.path.empty() ? "wavewright" : "wavewright " + command.joined(" ");
}

std::string entry(const OptionEntry& option) {
  std::vector<std::string> names;
  names.reserve(option.names.size());
  for (const std::string& name : option.names) names.push_back("\\fB" + escaped(name) + "\\fR");
  // CLI11 uses TEXT for an argument whose definition names no type.
  const std::string type =
      option.type.empty() || option.type == "TEXT" ? "" : " \\fI" + escaped(option.type) + "\\fR";
  std::string text =
      fmt::format(".TP\n{}{}\n{}", fmt::join(names, ", "), type, paragraphs(option.description));
  if (!option.rules.empty()) text += ".br\n" + paragraphs(option.rules);
  return text;
}

// Options under the headings of the help; CLI11's first heading is the section's own.
std::string options(const std::vector<OptionEntry>& all) {
  std::vector<std::string> groups;
  std::string text;
  for (const OptionEntry& option : all) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    if (group != "Options") text += ".SS " + escaped(group) + "\n";
    for (const OptionEntry& option : all) {
      if (option.group == group) text += entry(option);
    }
  }
  return text;
}

std::string sentence(std::string text) {
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text.ends_with('.') ? text : text + ".";
}

std::string synopsis(const CommandEntry& command) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", escaped(typed(command)));
  if (!command.commands.empty()) text += " \\fICOMMAND\\fR";
  for (const OptionEntry& argument : command.positionals) {
    const std::string name = "\\fI" + escaped(argument.names.front()) + "\\fR";
    const char* const more = argument.values > 1 ? "..." : "";
    text += argument.required ? " " + name + more : " [" + name + more + "]";
  }
  return text + "\n";
}

std::string below(const CommandEntry& command) {
  std::string text;
  for (const CommandEntry& each : command.commands) {
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}", escaped(title(each)), paragraphs(each.description));
  }
  return text;
}

std::string examples(std::string footer) {
  constexpr std::string_view heading = "Example: ";
  if (footer.starts_with(heading)) footer.replace(0, heading.size(), "");
  std::string lines;
  std::size_t at = 0;
  while (at < footer.size()) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::size_t word = std::min(footer.find_first_not_of(' ', at), end);
    if (word < end) lines += escaped(footer.substr(word, end - word)) + "\n";
    at = end + 1;
  }
  return lines.empty() ? "" : ".RS\n.nf\n" + lines + ".fi\n.RE\n";
}

constexpr const char* exit_status = R"(.TP
0
done
.TP
1
the answer is no: no number of slots meets the deadline, a plan cannot be carried out
.TP
2
wrong usage
.TP
3
bad input
.TP
4
something outside failed: store, cluster, network, file system
.TP
5
a defect of Wavewright
.TP
130
interrupted
)";

// The settings' variables, and those that are no settings.
std::string environment() {
  std::string text;
  for (const Setting& setting : all_settings)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}, where \\fB{}\\fR is not given\n", setting.variable,
                        escaped(setting.what), escaped(setting.flag));
  return text + R"(.TP
\fBWAVEWRIGHT_STORE_PASSWORD\fR
password of the store's database
.TP
\fBWAVEWRIGHT_SYSTEM_CONFIG\fR
the system's settings file, instead of \fI/etc/wavewright/config.toml\fR
.TP
\fBWAVEWRIGHT_DATA\fR
folder that holds \fIreproduce/\fR, instead of the installed one
.TP
\fBTZ\fR
time zone where \fBWAVEWRIGHT_TIME_ZONE\fR is not set
)";
}

std::string see_also(const CommandEntry& root, const CommandEntry& command) {
  std::vector<std::string> names;
  if (!command.path.empty()) names.push_back("\\fBwavewright\\fR(1)");
  for (const CommandEntry* each : all_commands(root)) {
    const bool sibling = each->path.size() == command.path.size() && !each->path.empty() &&
                         std::equal(each->path.begin(), each->path.end() - 1, command.path.begin());
    if (sibling && each->path != command.path) names.push_back("\\fB" + escaped(title(*each)) + "\\fR(1)");
  }
  return names.empty() ? "" : fmt::format("{}\n", fmt::join(names, ",\n"));
}

std::string section(const char* heading, const std::string& body) {
  return body.empty() ? "" : fmt::format(".SH {}\n{}", heading, body);
}

}  // namespace

std::string man_page_name(const CommandEntry& command) {
  return title(command) + ".1";
}

std::string man_page(const CommandEntry& root, const CommandEntry& command) {
  std::string upper = title(command);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  const bool is_root = command.path.empty();
  return fmt::format(".TH {} 1 \"\" \"wavewright {}\" \"Wavewright\"\n", escaped(upper), version().number) +
         section("NAME", fmt::format("{} \\- {}\n", escaped(title(command)),
                                     escaped(short_description(command.description)))) +
         section("SYNOPSIS", synopsis(command)) +
         section("DESCRIPTION", paragraphs(sentence(command.description))) +
         section("COMMANDS", below(command)) + section("ARGUMENTS", options(command.positionals)) +
         section("OPTIONS", options(command.options)) +
         section("GLOBAL OPTIONS", is_root ? "" : options(root.options)) +
         section("EXIT STATUS", exit_status) + section("ENVIRONMENT", environment()) +
         section("EXAMPLES", examples(command.footer)) + section("SEE ALSO", see_also(root, command));
}

std::vector<std::string> write_man_pages(const CommandEntry& root, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ExternalError({folder.string()}, "cannot make the folder: " + error.message(), "");
  std::vector<std::string> paths;
  for (const CommandEntry* command : all_commands(root)) {
    const std::filesystem::path path = folder / man_page_name(*command);
    write_file(path, [&](std::ostream& out) { out << man_page(root, *command); });
    paths.push_back(path.string());
  }
  return paths;
}

}  // namespace wavewright::app
