// Accounts of this machine under which commands of jobs run, other than the one of this program.
//
// Refused are root, accounts that do not exist, and those with a number below a limit, which are the
// system's.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace wavewright {

struct Account {
  std::string name;
  uid_t user = 0;
  gid_t group = 0;
  std::string home;
};

// Debian and most others number accounts of people from 1000 (UID_MIN in /etc/login.defs).
inline constexpr uid_t lowest_account = 1'000;

// Throws UsageError if it is refused.
[[nodiscard]] Account find_account(const std::string& name, uid_t lowest = lowest_account);

// The name of the account of this program; its number if it has no name.
[[nodiscard]] std::string own_account();

// May this program start others under any account? It needs CAP_SETUID and CAP_SETGID, which root has.
[[nodiscard]] bool may_take_accounts();

// Makes this process one of the account, for ever, with its groups alone. False if the system refuses;
// the process must end then. To be called by a process with one thread.
[[nodiscard]] bool become(const Account& account);

// The environment of a command of the account: who it is, and of `environment` what says where programs and
// their settings are. Nothing that may be a secret of this program passes.
[[nodiscard]] std::vector<std::string> environment_of(const Account& account,
                                                      const std::vector<std::string>& environment);

}  // namespace wavewright
