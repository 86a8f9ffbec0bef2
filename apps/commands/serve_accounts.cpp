#include "apps/commands/serve_accounts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands/run_live.h"
#include "apps/commands/token_files.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

constexpr const char* own_token = "own";  // its name

// Can nobody but this account write to the store?
bool is_own(const std::string& store_url) {
  constexpr std::string_view sqlite = "sqlite:";
  if (!store_url.starts_with(sqlite)) return false;
  const std::filesystem::path file = std::filesystem::absolute(store_url.substr(sqlite.size()));
  for (const std::filesystem::path& each : {file, file.parent_path()}) {
    struct stat status{};
    if (::stat(each.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return false;
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return false;
  }
  return true;
}

std::string token_of_other_daemons(const std::filesystem::path& file) {
  try {
    return token_in(file);
  } catch (const InputError& error) {
    throw InputError(error.where(), error.problem(), "remove it: then another one is made");
  }
}

}  // namespace

void make_own_token(const Context& context, const TokenStore& tokens) {
  if (!tokens.list().empty()) return;
  const std::filesystem::path file = own_token_file();
  make_private_folder(file.parent_path().string());
  if (std::filesystem::exists(file)) {
    tokens.keep(token_of_other_daemons(file), own_token, Scope::operate, now_instant());
    return context.note("token for this account, as at its other daemons: " + file.string());
  }
  const std::string token = tokens.create(own_token, Scope::operate, now_instant());
  write_file(file, [&](std::ostream& out) { out << token << '\n'; }, FileReaders::owner);
  context.note("token for this account: " + file.string());
}

StartRules start_rules(const Context& context, const TokenStore& tokens, bool sealed_only, uid_t lowest) {
  make_private_folder(seal_file().parent_path());
  std::vector<std::string> others;
  for (const ApiToken& token : tokens.list()) {
    if (!token.account.empty() && token.account != own_account()) others.push_back(token.name);
  }
  if (!others.empty() && !may_take_accounts())
    context.note(fmt::format("commands run as {}; jobs of tokens with another account are refused: {}",
                             own_account(), fmt::join(others, ", ")));
  if (!sealed_only && ::geteuid() == 0 && !is_own(context.store_url()))
    context.note(
        "whoever can write to the store can have commands run as root here; --sealed-only runs only those "
        "that came by the API");
  return {seal_key(seal_file().string()), !sealed_only, lowest};
}

std::optional<Account> account_of(const ApiToken& token, uid_t lowest) {
  if (token.account.empty() || token.account == own_account()) return std::nullopt;
  if (!may_take_accounts())
    throw UsageError(
        fmt::format("jobs of token '{}' run as {}, and this daemon, which runs as {}, may not start "
                    "such commands",
                    token.name, token.account, own_account()),
        "run the daemon as root, or use a token without an account");
  return find_account(token.account, lowest);
}

}  // namespace wavewright::app
