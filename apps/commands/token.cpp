// `wavewright token`: who may use the HTTP API, and for what.
#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/token_files.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/serve/tokens.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string name, scope = "view", account;
};

int create(const Context& context, const Options& options) {
  const Scope scope = parse_scope(options.scope);
  const Store store = Store::open(context.store_url(), Store::Access::create);
  const std::string token = TokenStore(store).create(options.name, scope, now_instant(), options.account);
  if (context.json) {
    context.print({{"name", options.name},
                   {"scope", to_string(scope)},
                   {"account", options.account},
                   {"token", token}});
  } else {
    std::cout << token << '\n';
    context.note("keep it: it is shown this once");
  }
  return 0;
}

// Has the file the token of that name?
bool is_in(const std::filesystem::path& file, const std::string& name, const TokenStore& tokens) {
  if (!std::filesystem::exists(file)) return false;
  try {
    const std::optional<ApiToken> found = tokens.find(token_in(file));
    return found && found->name == name;
  } catch (const Error&) {  // it has none
    return false;
  }
}

int list(const Context& context) {
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  const std::vector<ApiToken> tokens = TokenStore(store).list();
  if (context.json) {
    Json document = {{"tokens", Json::array()}};
    for (const ApiToken& token : tokens)
      document["tokens"].push_back({{"name", token.name},
                                    {"scope", to_string(token.scope)},
                                    {"account", token.account},
                                    {"made_ms", to_ms(token.made)}});
    context.print(document);
    return 0;
  }
  Table table{
      {{"name", "name", false, true}, {"scope", "scope"}, {"account", "account"}, {"made_ms", "made"}}, {}};
  for (const ApiToken& token : tokens)
    table.rows.push_back({token.name, std::string(to_string(token.scope)), token.account,
                          Cell(format_instant(token.made), to_ms(token.made))});
  write_table(std::cout, table);
  return 0;
}

// If the file of this account has that token, it goes, too: the next daemon would take the token again.
int remove(const Context& context, const std::string& name) {
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  const TokenStore tokens(store);
  const std::filesystem::path file = own_token_file();
  const bool own = is_in(file, name, tokens);
  tokens.remove(name);
  if (own && std::filesystem::remove(file))
    context.note(fmt::format("removed, and {} with it; another daemon of this account may know it, too",
                             file.string()));
  else
    context.note("removed");
  return 0;
}

}  // namespace

void add_token(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("token", "Tokens of the HTTP API of serve");
  command->require_subcommand(1);
  command->footer("Example: wavewright token create dashboard --scope view");
  CLI::App* made = command->add_subcommand("create", "Make a token and show it, this once");
  made->footer("Example: wavewright token create night-batch --scope submit");
  made->add_option("NAME", options->name, "whose it is")->required();
  offer(made->add_option(
                "--scope", options->scope,
                "view (default): see jobs and the cluster; submit: add, hold, release and cancel jobs, too; "
                "operate: all")
            ->type_name("SCOPE"),
        {"view", "submit", "operate"});
  made->add_option("--user", options->account,
                   "account of the daemon's machine under which its jobs run (default: the daemon's own)")
      ->type_name("ACCOUNT");
  made->callback(
      [&context, options] { context.run = [&context, options] { return create(context, *options); }; });
  CLI::App* shown = command->add_subcommand("list", "Tokens that there are, without their texts");
  shown->footer("Example: wavewright token list");
  shown->callback([&context] { context.run = [&context] { return list(context); }; });
  CLI::App* removed = command->add_subcommand("remove", "Make a token useless, from the next request on");
  removed->footer("Example: wavewright token remove dashboard");
  removed->add_option("NAME", options->name, "whose it is")->required();
  removed->callback(
      [&context, options] { context.run = [&context, options] { return remove(context, options->name); }; });
}

}  // namespace wavewright::app
