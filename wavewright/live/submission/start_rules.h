// Rules for starting commands, and for the account under which they run.
//
// A program that can write to a store can write any job into it. So a daemon seals what it took through its
// API, with a key that only its account can read: the command, its folder and its account. A command for
// another account runs only with that seal, and a daemon may demand it of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/cluster_driver.h"
#include "wavewright/live/submission/account.h"

namespace wavewright {

class StartRules {
 public:
  // Commands run under this program's account; those for another are refused.
  StartRules() = default;
  // `key`: of the seals. `unsealed`: commands without a seal run, under this program's account.
  StartRules(std::string key, bool unsealed, uid_t lowest)
      : key_(std::move(key)), unsealed_(unsealed), lowest_(lowest) {}

  // The seal of a command with that tag of its job; empty without a key.
  [[nodiscard]] std::string seal(const ClientAttempt& attempt, const std::vector<std::string>& command) const;

  struct Verdict {
    std::string refusal;                            // why it must not start; empty = it may
    std::optional<Account> account = std::nullopt;  // absent = this program's own
  };
  [[nodiscard]] Verdict judge(const ClientAttempt& attempt, const std::vector<std::string>& command) const;

 private:
  std::string key_;
  bool unsealed_ = true;
  uid_t lowest_ = lowest_account;
};

// The key in that file, which is made if there is none. Throws ExternalError if it cannot be read or made,
// and UsageError if others may read it.
[[nodiscard]] std::string seal_key(const std::string& file);

}  // namespace wavewright
