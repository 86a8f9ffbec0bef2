#include "wavewright/serve/tokens.h"

#include <openssl/evp.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/system_library.h"
#include "wavewright/store/database.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

using enum ColumnKind;

constexpr std::array<std::string_view, 3> scope_words = {"view", "submit", "operate"};

std::string hex(const unsigned char* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

std::string random_token() {
  std::array<unsigned char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw ExternalError({"random numbers"}, std::strerror(errno), "look at /dev/urandom");
  return "ww_" + hex(bytes.data(), bytes.size());
}

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  constexpr auto library = SystemLibrary::crypto;
  static auto* const digest_of = function_in<decltype(EVP_Digest)>(library, "EVP_Digest");
  static const EVP_MD* const kind = function_in<decltype(EVP_sha256)>(library, "EVP_sha256")();
  if (digest_of(text.data(), text.size(), digest.data(), &size, kind, nullptr) != 1)
    throw InternalError("SHA-256 failed");
  return hex(digest.data(), size);
}

ApiToken token_of(Query& row, const std::string& store) {
  const auto word = std::find(scope_words.begin(), scope_words.end(), row.text(1));
  if (word == scope_words.end())
    throw InputError({store}, "a token is damaged", "remove it with 'wavewright token remove'");
  return {row.text(0), static_cast<Scope>(word - scope_words.begin()), at_ms(row.number(2)), row.text(3)};
}

constexpr const char* select_tokens =
    "select t.name, t.scope, t.made_ms, coalesce(a.account, '') from wavewright_token t "
    "left join wavewright_token_account a on a.token_key = t.token_key";

// As useradd(8) takes them, with capitals and dots, as directory services have them.
bool is_account_name(const std::string& name) {
  constexpr std::size_t longest = 100;
  const auto fits = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '@';
  };
  return !name.empty() && name.size() <= longest && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

std::string_view to_string(Scope scope) {
  return scope_words[static_cast<std::size_t>(scope)];
}

Scope parse_scope(const std::string& text) {
  const auto word = std::find(scope_words.begin(), scope_words.end(), text);
  if (word != scope_words.end()) return static_cast<Scope>(word - scope_words.begin());
  throw UsageError(fmt::format("'{}' is no scope", text),
                   suggestion(text, std::vector<std::string>(scope_words.begin(), scope_words.end())));
}

std::string TokenStore::create(const std::string& name, Scope scope, Time now,
                               const std::string& account) const {
  const std::string token = random_token();
  keep(token, name, scope, now, account);
  return token;
}

void TokenStore::keep(const std::string& token, const std::string& name, Scope scope, Time now,
                      const std::string& account) const {
  if (!account.empty() && !is_account_name(account))
    throw UsageError(fmt::format("'{}' is no name of an account", account), "see 'getent passwd'");
  constexpr std::size_t longest_name = 100;
  const bool plain =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= ' ' && c != 127; });
  if (name.empty() || name.size() > longest_name || !plain)
    throw UsageError(fmt::format("a token's name has 1 to {} characters", longest_name),
                     "as in 'wavewright token create dashboard'");
  store_.database().in_transaction([&](soci::session& session) {
    {
      Query there(session, "select name from wavewright_token where name = :n", {Value(name)}, {text});
      if (there.fetch()) throw UsageError(fmt::format("there is a token '{}' already", name));
    }
    execute(session, "insert into wavewright_token (token_key, name, scope, made_ms) values (:k, :n, :s, :m)",
            {Value(sha256(token)), Value(name), Value(std::string(to_string(scope))),
             Value(static_cast<long long>(to_ms(now)))});
    if (!account.empty())
      execute(session, "insert into wavewright_token_account (token_key, account) values (:k, :a)",
              {Value(sha256(token)), Value(account)});
    return 0;
  });
}

void TokenStore::remove(const std::string& name) const {
  const long long removed = store_.database().in_transaction([&](soci::session& session) {
    execute(session,
            "delete from wavewright_token_account where token_key in "
            "(select token_key from wavewright_token where name = :n)",
            {Value(name)});
    return execute(session, "delete from wavewright_token where name = :n", {Value(name)});
  });
  if (removed > 0) return;
  std::vector<std::string> names;
  for (const ApiToken& token : list()) names.push_back(token.name);
  throw UsageError(fmt::format("there is no token '{}'", name), suggestion(name, names));
}

std::vector<ApiToken> TokenStore::list() const {
  const Database& database = store_.database();
  return database.guarded([&](soci::session& session) {
    std::vector<ApiToken> tokens;
    Query rows(session, std::string(select_tokens) + " order by t.name", {}, {text, text, integer, text});
    while (rows.fetch()) tokens.push_back(token_of(rows, database.where().shown));
    return tokens;
  });
}

std::optional<ApiToken> TokenStore::find(std::string_view token) const {
  const Database& database = store_.database();
  return database.guarded([&](soci::session& session) {
    Query row(session, std::string(select_tokens) + " where t.token_key = :k", {Value(sha256(token))},
              {text, text, integer, text});
    return row.fetch() ? std::optional(token_of(row, database.where().shown)) : std::nullopt;
  });
}

}  // namespace wavewright
