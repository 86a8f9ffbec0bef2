#include "wavewright/live/submission/account.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

template <class Ask>
std::optional<Account> look_up(Ask ask) {
  constexpr std::size_t most = std::size_t{1} << 20;
  for (std::vector<char> room(1'024); room.size() <= most; room.resize(2 * room.size())) {
    passwd entry{};
    passwd* found = nullptr;
    const int error = ask(&entry, room.data(), room.size(), &found);
    if (error == ERANGE) continue;
    if (found == nullptr) return std::nullopt;
    return Account{entry.pw_name, entry.pw_uid, entry.pw_gid, entry.pw_dir};
  }
  return std::nullopt;
}

// Looks at the effective capabilities.
bool has_capability(int number) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("CapEff:")) continue;
    return ((std::stoull(line.substr(7), nullptr, 16) >> number) & 1U) != 0;
  }
  return false;
}

}  // namespace

Account find_account(const std::string& name, uid_t lowest) {
  const auto account = look_up([&](passwd* entry, char* room, std::size_t size, passwd** found) {
    return ::getpwnam_r(name.c_str(), entry, room, size, found);
  });
  if (!account) throw UsageError(fmt::format("there is no account '{}' here", name), "see 'getent passwd'");
  if (account->user == 0)
    throw UsageError(fmt::format("account '{}' is root: no command of a job runs as root", name),
                     "name another account");
  if (account->user < lowest)
    throw UsageError(fmt::format("account '{}' has the number {}, and those below {} are the system's", name,
                                 account->user, lowest),
                     "name another account, or allow it with --lowest-account");
  return *account;
}

std::string own_account() {
  const auto account = look_up([](passwd* entry, char* room, std::size_t size, passwd** found) {
    return ::getpwuid_r(::geteuid(), entry, room, size, found);
  });
  return account ? account->name : std::to_string(::geteuid());
}

bool may_take_accounts() {
  constexpr int set_group = 6, set_user = 7;  // CAP_SETGID, CAP_SETUID
  return has_capability(set_group) && has_capability(set_user);
}

bool become(const Account& account) {
  if (account.user == 0) return false;
  if (::initgroups(account.name.c_str(), account.group) != 0) return false;
  if (::setresgid(account.group, account.group, account.group) != 0) return false;
  if (::setresuid(account.user, account.user, account.user) != 0) return false;
  return ::setuid(0) != 0 && ::geteuid() == account.user && ::getegid() == account.group;
}

std::vector<std::string> environment_of(const Account& account, const std::vector<std::string>& environment) {
  // HADOOP_USER_NAME, HADOOP_TOKEN_FILE_LOCATION and the like would make the command another's.
  static constexpr std::array<std::string_view, 22> passed = {"PATH",
                                                              "LANG",
                                                              "LC_ALL",
                                                              "TZ",
                                                              "JAVA_HOME",
                                                              "HADOOP_HOME",
                                                              "HADOOP_CONF_DIR",
                                                              "HADOOP_COMMON_HOME",
                                                              "HADOOP_HDFS_HOME",
                                                              "HADOOP_MAPRED_HOME",
                                                              "HADOOP_YARN_HOME",
                                                              "YARN_CONF_DIR",
                                                              "SPARK_HOME",
                                                              "SPARK_CONF_DIR",
                                                              "HIVE_HOME",
                                                              "HIVE_CONF_DIR",
                                                              "PIG_HOME",
                                                              "PIG_CONF_DIR",
                                                              "TEZ_HOME",
                                                              "TEZ_CONF_DIR",
                                                              "SQOOP_HOME",
                                                              "SQOOP_CONF_DIR"};
  std::vector<std::string> own = {"HOME=" + account.home, "USER=" + account.name, "LOGNAME=" + account.name};
  for (const std::string& entry : environment) {
    const std::string_view name = std::string_view(entry).substr(0, entry.find('='));
    if (std::find(passed.begin(), passed.end(), name) != passed.end()) own.push_back(entry);
  }
  return own;
}

}  // namespace wavewright
