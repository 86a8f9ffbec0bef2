// Tokens of the HTTP API, in a store: who may do what. The store has hashes of them only.
//
// A token is 256 random bits, so one round of SHA-256 keeps it secret.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/store/store.h"

namespace wavewright {

enum class Scope : std::uint8_t {
  view,    // see jobs, events and the cluster
  submit,  // add jobs, and hold, release or cancel those
  operate  // plan previews, and all that the others may
};
[[nodiscard]] std::string_view to_string(Scope scope);
// Throws UsageError with the nearest name.
[[nodiscard]] Scope parse_scope(const std::string& text);

struct ApiToken {
  std::string name;  // unique
  Scope scope{};     // it may do what this one and those before it may
  Time made{};
  std::string account = {};  // under which its jobs run; empty = that of the daemon
};

// The store must outlive it. Functions throw ExternalError if the database fails.
class TokenStore {
 public:
  explicit TokenStore(const Store& store) : store_(store) {}

  // Returns the token itself, which is kept nowhere. Throws UsageError if the name is empty or taken, or if
  // the account is no name of one. The account need not exist on this machine.
  [[nodiscard]] std::string create(const std::string& name, Scope scope, Time now,
                                   const std::string& account = {}) const;
  // Keeps a token that another store has made. Throws as `create`.
  void keep(const std::string& token, const std::string& name, Scope scope, Time now,
            const std::string& account = {}) const;
  // Throws UsageError if there is none of that name.
  void remove(const std::string& name) const;
  [[nodiscard]] std::vector<ApiToken> list() const;  // by name
  // Whose token it is; absent for a text that is none.
  [[nodiscard]] std::optional<ApiToken> find(std::string_view token) const;

 private:
  const Store& store_;
};

}  // namespace wavewright
