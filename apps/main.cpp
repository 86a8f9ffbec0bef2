// The `wavewright` command: global flags, one subcommand, one exit status.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>

// Only this file includes all of CLI11: its formatter and configuration reader take three seconds to compile.
#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/command_list.h"
#include "apps/context.h"
#include "apps/engine/units.h"
#include "apps/help.h"
#include "apps/settings/fill_options.h"
#include "apps/settings/places.h"
#include "apps/settings/time_zone.h"
#include "apps/version.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/unfinished_files.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/store/url.h"

namespace {

using namespace wavewright;
using app::Context;

Context* signalled = nullptr;

// The second Ctrl-C ends the process. timeout(1) signals command and group at once: that counts as one.
void on_interrupt(int) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration same = std::chrono::milliseconds(300);
  static std::atomic<Clock::rep> first = 0;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep before = 0;
  const bool again = !first.compare_exchange_strong(before, now);
  if (again && now - before < same.count()) return;
  if (again || signalled == nullptr || !signalled->ends_itself.load()) {
    remove_unfinished_files();
    std::_Exit(static_cast<int>(ExitStatus::interrupted));
  }
  signalled->interrupted.store(true);
}

// As without a handler, but that no temporary file stays.
void on_terminate(int) {
  remove_unfinished_files();
  std::signal(SIGTERM, SIG_DFL);
  (void)std::raise(SIGTERM);
}

// CLI11 needs it before it has read all flags.
std::string version_text(bool as_json) {
  const app::Version is = app::version();
  return as_json ? app::Json{{"version", is.number},
                             {"commit", is.commit},
                             {"changed", is.changed},
                             {"build_type", is.build_type},
                             {"compiler", is.compiler}}
                       .dump(2)
                 : app::version_line();
}

// `wavewright workload gen`.
std::string path_of(const CLI::App& command) {
  std::string path = command.get_name();
  for (const CLI::App* level = command.get_parent(); level != nullptr; level = level->get_parent()) {
    path.insert(0, level->get_name() + " ");
  }
  return path;
}

// Throws UsageError for a command that is none, with the nearest one.
const CLI::App& command_at(const CLI::App& root, const std::vector<std::string>& path) {
  const CLI::App* command = &root;
  for (const std::string& word : path) {
    std::vector<std::string> words;
    const CLI::App* found = nullptr;
    for (const CLI::App* each : command->get_subcommands([](const CLI::App*) { return true; })) {
      words.push_back(each->get_name());
      if (each->get_name() == word) found = each;
    }
    if (found == nullptr) throw UsageError("unknown command '" + word + "'", suggestion(word, words));
    command = found;
  }
  return *command;
}

std::string help_of(const CLI::App& root, const CLI::App& command) {
  // CLI11's help() of the root is that of the command that was parsed.
  if (&command == &root)
    return root.get_formatter()->make_help(&root, root.get_name(), CLI::AppFormatMode::Normal);
  return command.help(path_of(*command.get_parent()));
}

app::Json help_document(const CLI::App& root, const CLI::App& command) {
  app::Json commands = app::Json::array();
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    if (!each->get_group().empty())  // hidden otherwise
      commands.push_back({{"name", each->get_name()}, {"summary", each->get_description()}});
  }
  return {{"command", path_of(command)}, {"help", help_of(root, command)}, {"commands", commands}};
}

// The command line's definitions, of the commands that `words` may mean (apps/command_list.h).
std::unique_ptr<CLI::App> declare(Context& context, std::span<const std::string_view> words) {
  auto made = std::make_unique<CLI::App>("Wavewright: job histories in; predictions, plans and proofs out",
                                         "wavewright");
  CLI::App& root = *made;
  root.footer("Example: wavewright import /var/log/hadoop/history\n         wavewright predict --evaluate");
  root.require_subcommand(1);
  root.fallthrough();
  root.set_version_flag(
      "--version", [&root] { return version_text(root.count("--json") > 0); },
      "version, commit and build, and nothing else");
  root.add_flag("--json", context.json, "one JSON document on standard output");
  app::from_setting(root.add_option("--store", context.store, "database URL")->type_name("URL"), "store");
  app::from_setting(
      root.add_option("--time-zone", context.time_zone, "zone of times that are read and printed")
          ->type_name("ZONE"),
      "time_zone");
  root.formatter(app::help_formatter());
  root.add_option("--seed", context.seed, "seed of everything random")
      ->type_name("N")
      ->check(app::whole_number(0));
  root.add_flag_callback("-q,--quiet", [&] { context.verbosity = -1; }, "no notes on standard error");
  root.add_flag_callback("-v,--verbose", [&] { context.verbosity = 1; }, "more notes on standard error");
  app::add_commands(root, context, words);
  CLI::App* version = root.add_subcommand("version", "Show version, commit and build");
  version->callback([&context] {
    context.run = [&context] {
      std::cout << version_text(context.json) << '\n';
      return 0;
    };
  });
  CLI::App* help = root.add_subcommand("help", "Show the help of a command");
  help->footer("Example: wavewright help workload from-history");
  help->add_option("COMMAND", context.help_of, "its name, with its subcommand's")->expected(0, -1);
  help->callback([&root, &context] {
    context.run = [&root, &context] {
      const CLI::App& command = command_at(root, context.help_of);
      if (context.json) {
        context.print(help_document(root, command));
      } else {
        std::cout << help_of(root, command);
      }
      return 0;
    };
  });
  return made;
}

// Whoever lists this machine's processes can read a password that stands on the command line. Before anything
// is read from it: an error about its words would show it, too.
void refuse_passwords(std::span<const std::string_view> words) {
  constexpr std::string_view store_is = "--store=";
  bool of_a_job = false;  // words that may be those of a job's command
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    of_a_job = of_a_job || words[i] == "submit";
    const bool has_flag = words[i].starts_with(store_is);
    if (of_a_job && !has_flag && (i == 0 || words[i - 1] != "--store")) continue;
    const std::string url(has_flag ? words[i].substr(store_is.size()) : words[i]);
    if (!has_password(url)) continue;
    throw UsageError(
        fmt::format("the password of {} stands on the command line, where others can see it", shown_url(url)),
        "put the URL into WAVEWRIGHT_STORE or a settings file, or the password into "
        "WAVEWRIGHT_STORE_PASSWORD");
  }
}

// An empty value (`--map-slots "$slots"` in a script) would count as 0 or as not given.
void refuse_empty_values(const CLI::App& root) {
  for (const CLI::App* level = &root; level != nullptr;) {
    for (const CLI::Option* option : level->get_options()) {
      const auto& values = option->results();
      if (option->get_items_expected_max() == 0) continue;  // a switch
      if (std::find(values.begin(), values.end(), "") != values.end()) {
        throw UsageError(option->get_name() + " is empty", "give it a value, or leave it away");
      }
    }
    const auto below = level->get_subcommands();
    level = below.empty() ? nullptr : below.front();
  }
}

// The flags that the command line left out take what is set elsewhere. `config` reads the settings itself, to
// mend broken ones, too. The others that are left out here read none.
void use_settings(const CLI::App& root, const Context& context) {
  const CLI::App* const command = root.get_subcommands().front();
  for (const char* without : {"config", "completion", "man", "help", "version"}) {
    if (command->get_name() == without) return;
  }
  std::error_code ignored;
  const app::Settings settings = app::Settings::load(std::filesystem::current_path(ignored));
  context.note_passed_over(settings);
  app::fill_from_settings(root, settings);
  for (const CLI::App* level = command;; level = level->get_subcommands().front()) {
    app::fill_from_settings(*level, settings);
    if (level->get_subcommands().empty()) break;
  }
  if (!context.time_zone.empty()) app::use_time_zone(context.time_zone);
}

const CLI::App& chosen(const CLI::App& root) {
  const CLI::App* current = &root;
  while (!current->get_subcommands().empty()) current = current->get_subcommands().front();
  return *current;
}

// CLI11's message about wrong flags, as one line with the nearest known word.
std::string explain(const CLI::App& root, const CLI::ParseError& error, std::span<char* const> arguments) {
  const CLI::App& command = chosen(root);
  std::vector<std::string> words;
  for (const CLI::App* level = &command; level != nullptr; level = level->get_parent()) {
    for (const CLI::Option* option : level->get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  }
  std::vector<std::string> commands;
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(sub->get_name());
  }
  std::string text = error.what();
  if (const auto newline = text.find('\n'); newline != std::string::npos) text.resize(newline);
  const bool wants_command = command.get_require_subcommand_min() > 0 && command.get_subcommands().empty();
  for (const char* argument : arguments.subspan(1)) {
    const std::string word = std::string(argument).substr(0, std::string(argument).find('='));
    if (word == "--") break;  // what follows are another program's
    if (word.starts_with("--")) {
      if (std::find(words.begin(), words.end(), word) == words.end()) {
        // A command has dozens of flags: the near ones, or where the list is.
        const std::vector<std::string> near = near_matches(word, words, 3);
        return fmt::format("unknown flag '{}'; {}see '{} --help'", word,
                           near.empty() ? "" : fmt::format("did you mean '{}'? ", fmt::join(near, "' or '")),
                           path_of(command));
      }
    } else if (wants_command && !word.starts_with("-") &&
               std::find(commands.begin(), commands.end(), word) == commands.end() && &command == &root) {
      return "unknown command '" + word + "'; " + suggestion(word, commands);
    }
  }
  return text + "; see '" + path_of(command) + " --help'";
}

// A file that is opened must not become the standard output that a caller has closed.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Read-only: whatever writes to it still fails.
    if (::fcntl(descriptor, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) < 0)
      std::_Exit(static_cast<int>(ExitStatus::outside));
  }
}

int fail(const std::string& line, ExitStatus status) {
  std::cerr << "wavewright: " << line << '\n';
  return static_cast<int>(status);
}

int run_chosen(const CLI::App& root, const Context& context) try {
  return context.run ? context.run() : 0;
} catch (const Infeasible& error) {
  if (context.json) context.print({{"answer", "no"}, {"reason", error.what()}});
  return fail(app::with_places(error.what(), root), error.status());
} catch (const Error& error) {
  return fail(app::with_places(error.what(), root), error.status());
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_descriptors();
  Context context;
  try {
    // Not for users: the program itself runs a job's command (wavewright/live/submission/client_processes.h).
    if (argc > 1 && std::string_view(argv[1]) == supervise_word) return supervise({argv + 2, argv + argc});
    // Nor this: a task of Hadoop works at units (apps/engine/units.h).
    if (argc > 1 && std::string_view(argv[1]) == app::units_word)
      return app::run_worker({argv + 2, argv + argc});
    signalled = &context;
    std::signal(SIGINT, on_interrupt);
    if (std::signal(SIGTERM, on_terminate) == SIG_IGN) std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit gives a write error, with clean-up
    const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
    refuse_passwords(words);
    std::unique_ptr<CLI::App> root = declare(context, words);
    try {
      try {
        root->parse(argc, argv);
      } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) throw;
        root = declare(context, {});  // all commands: the message may name another
        root->parse(argc, argv);
      }
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) {  // --help, --version
        root->exit(error);
        std::cout.flush();
        return std::cout ? 0 : fail("cannot write to standard output", ExitStatus::outside);
      }
      return fail(explain(*root, error, {argv, static_cast<std::size_t>(argc)}), ExitStatus::usage);
    }
    refuse_empty_values(*root);
    context.store_by_flag = !context.store.empty();
    use_settings(*root, context);
    const int status = run_chosen(*root, context);
    std::cout.flush();
    if (!std::cout) return fail("cannot write to standard output", ExitStatus::outside);
    return status;
  } catch (const Error& error) {
    return fail(error.what(), error.status());
  } catch (const Interrupted&) {
    return static_cast<int>(ExitStatus::interrupted);
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use a smaller input or a machine with more", ExitStatus::outside);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what() + "; please report this", ExitStatus::defect);
  }
}
