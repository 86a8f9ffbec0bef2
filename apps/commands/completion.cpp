// `wavewright completion` and `wavewright man`: completion scripts and manual pages, generated from the
// definitions of all commands.
#include <iostream>

#include "apps/choices.h"
#include "apps/completion/completion.h"
#include "apps/context.h"
#include "apps/man_page.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"

namespace wavewright::app {

namespace {

struct Shell {
  std::string name;
  std::string (*script)(const CommandEntry&);
};

const std::vector<Shell>& shells() {
  static const std::vector<Shell> all{
      {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
  return all;
}

int completion_command(const CLI::App& root, const Context& context, const std::string& name) {
  std::vector<std::string> names;
  for (const Shell& shell : shells()) {
    names.push_back(shell.name);
    if (shell.name != name) continue;
    const std::string script = shell.script(command_tree(root));
    if (context.json) {
      context.print({{"shell", name}, {"script", script}});
    } else {
      std::cout << script;
    }
    return 0;
  }
  throw UsageError("no completion for the shell '" + name + "'", suggestion(name, names));
}

int man_command(const CLI::App& root, const Context& context, const std::string& folder) {
  const std::vector<std::string> pages = write_man_pages(command_tree(root), folder);
  if (context.json) context.print({{"pages", pages}});
  return 0;
}

}  // namespace

void add_completion(CLI::App& root, Context& context) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command =
      root.add_subcommand("completion", "Print the script that completes commands and flags in a shell");
  command->footer(
      "Example: source <(wavewright completion bash)\n"
      "         wavewright completion zsh > ~/.zfunc/_wavewright\n"
      "         wavewright completion fish > ~/.config/fish/completions/wavewright.fish");
  offer_names(command->add_option("shell", *name, "bash, zsh or fish")->required()->type_name("SHELL"),
              shells());
  command->callback([&root, &context, name] {
    context.run = [&root, &context, name] { return completion_command(root, context, *name); };
  });
}

void add_man(CLI::App& root, Context& context) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = root.add_subcommand("man", "Write the manual pages, one a command");
  command->group("");  // hidden: for packages
  command->footer("Example: wavewright man build/man");
  command->add_option("folder", *folder, "where they go; made where it is missing")
      ->required()
      ->type_name("DIR");
  command->callback([&root, &context, folder] {
    context.run = [&root, &context, folder] { return man_command(root, context, *folder); };
  });
}

}  // namespace wavewright::app
