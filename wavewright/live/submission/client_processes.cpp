#include "wavewright/live/submission/client_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/live/submission/attempt_files.h"
#include "wavewright/live/submission/command_environment.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

constexpr Duration grace = ms(5'000);

[[noreturn]] void refuse(const fs::path& path, const std::string& what, int error) {
  throw ExternalError({path.string()}, what + ": " + std::strerror(error),
                      "check the folder, and that its disk is not full");
}

std::string text_of(const fs::path& path, std::size_t last_bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const auto size = static_cast<std::size_t>(file.tellg());
  file.seekg(static_cast<std::streamoff>(size > last_bytes ? size - last_bytes : 0));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr std::size_t most_said = 16'384;  // bytes of output that are looked at

// What the output says of the end: the last line that speaks of an error, else the last one; no stack trace.
std::string last_words_in(const std::string& text) {
  std::string last, problem;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::replace_if(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    line.erase(0, first);
    if (line.starts_with("at ") || line.starts_with("... ")) continue;
    last = line;
    if (line.find("Exception") != std::string::npos || line.find("rror") != std::string::npos) problem = line;
  }
  constexpr std::size_t most = 300;
  return (problem.empty() ? last : problem).substr(0, most);
}

void require_private(const std::string& folder) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0) return;  // whoever uses it says so
  if (S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return;
  throw ExternalError({folder}, "is no folder that this account alone may write",
                      "commands start from such a folder only: chmod 700 it, or see who changed the store");
}

// Is the file locked by someone? Nothing if there is no file.
std::optional<bool> is_locked(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT) return std::nullopt;
    refuse(path, "cannot be opened", errno);
  }
  if (::flock(file.get(), LOCK_SH | LOCK_NB) == 0) return false;
  if (errno == EWOULDBLOCK) return true;
  refuse(path, "cannot be locked", errno);
}

// A new locked file beside `lock`, which the caller puts in its place. The lock is held by a descriptor that
// can only be read: a command has it.
class FreshLock {
 public:
  explicit FreshLock(const fs::path& lock) : path_(lock.string() + ".XXXXXX"), lock_(lock) {
    const Descriptor made(::mkostemp(path_.data(), O_CLOEXEC));
    if (made.get() < 0) refuse(path_, "cannot be made", errno);
    number_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (number_ < 0 || ::flock(number_, LOCK_EX | LOCK_NB) != 0) refuse(path_, "cannot be locked", errno);
  }
  ~FreshLock() {
    ::unlink(path_.c_str());
    ::close(number_);
  }
  FreshLock(const FreshLock&) = delete;
  FreshLock& operator=(const FreshLock&) = delete;
  FreshLock(FreshLock&&) = delete;
  FreshLock& operator=(FreshLock&&) = delete;

  // False if another file is there.
  [[nodiscard]] bool put_in_place() const {
    if (::link(path_.c_str(), lock_.c_str()) == 0) return true;
    if (errno != EEXIST) refuse(lock_, "cannot be made", errno);
    return false;
  }
  void write(std::string_view text) const {
    const Descriptor file(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.get() < 0 || ::write(file.get(), text.data(), text.size()) != std::ssize(text))
      refuse(lock_, "cannot be written", errno);
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  std::string path_;
  fs::path lock_;
  int number_ = -1;
};

// A file of an attempt that nobody else may read.
void write_private(const fs::path& path, std::string_view text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0 || ::write(file.get(), text.data(), text.size()) != std::ssize(text))
    refuse(path, "cannot be written", errno);
}

constexpr std::string_view never_text = "never\n";
// Room in the lock file for the process group of the command, without which it could not be killed. On a full
// disk a command is not started: nothing that it says would be kept.
constexpr std::size_t room_of_holder = 64;

Duration steady_now() {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

// A program in a session of its own, with no input and no signal blocked or ignored.
template <class Open>
pid_t spawn(const std::vector<std::string>& words, Open open) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  open(files);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &all);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const std::vector<std::string> environment = environment_of_commands();
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, words[0].c_str(), &files, &how, pointers_of(words).data(),
                                    pointers_of(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0) refuse(words[0], "cannot be started", failed);
  return process;
}

}  // namespace

void ClientProcesses::start(const ClientAttempt& attempt, const std::vector<std::string>& command) {
  // Reaps commands of jobs that nobody asks for any more.
  std::erase_if(children_, [](const auto& child) { return ::waitpid(child.second, nullptr, WNOHANG) != 0; });
  require_private(attempt.folder);
  const StartRules::Verdict verdict = rules_.judge(attempt, command);
  const fs::path lock = file_of(attempt, "lock");
  const FreshLock file(lock);
  file.write(std::string(room_of_holder, ' '));
  if (!file.put_in_place())
    throw ExternalError({lock.string()}, "this attempt was begun before", "it is followed as it is");

  if (!verdict.refusal.empty()) {
    write_private(log_of(attempt), "refused: " + verdict.refusal + "\n");
    write_private(file_of(attempt, "exit"), fmt::format("exit {}\n", cannot_run));
    return;
  }
  const std::string account =
      verdict.account ? fmt::format("{}:{}", verdict.account->name, verdict.account->user) : "";
  std::vector<std::string> words = supervisor_;
  words.insert(words.end(),
               {attempt.folder, attempt.tag, std::to_string(attempt.number), attempt.directory, account});
  words.insert(words.end(), command.begin(), command.end());
  children_[lock.string()] = spawn(words, [&](posix_spawn_file_actions_t& files) {
    posix_spawn_file_actions_adddup2(&files, file.get(), lock_number);
  });
}

void ClientProcesses::forget(const ClientAttempt& attempt) {
  for (const char* suffix : {"lock", "exit", "log"}) {
    std::error_code ignored;
    fs::remove(file_of(attempt, suffix), ignored);
  }
}

std::unique_ptr<Aside> ClientProcesses::run_aside(const ClientAttempt& attempt,
                                                  const std::vector<std::string>& command,
                                                  const std::vector<std::string>& words) const {
  StartRules::Verdict verdict;
  if (!attempt.account.empty() && attempt.account != own_account()) verdict = rules_.judge(attempt, command);
  if (!verdict.refusal.empty())
    throw ExternalError({fmt::format("{}", fmt::join(words, " "))}, verdict.refusal);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) refuse(words[0], "cannot be started", errno);
  Descriptor reads(ends[0]);
  const Descriptor writes(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const std::string account =
      verdict.account ? fmt::format("{}:{}", verdict.account->name, verdict.account->user) : "";
  std::vector<std::string> all = supervisor_;
  all.insert(all.end(), {"", attempt.tag, std::to_string(attempt.number), "/", account});
  all.insert(all.end(), words.begin(), words.end());
  const pid_t process = spawn(all, [&](posix_spawn_file_actions_t& files) {
    for (const int each : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_adddup2(&files, writes.get(), each);
  });
  return std::make_unique<Aside>(process, reads.release());
}

void Aside::read() {
  constexpr int most_pieces = 64;  // one that never ceases must not hold us up
  for (int i = 0; i < most_pieces; ++i) {
    char piece[4'096];
    const ssize_t size = ::read(output_.get(), piece, sizeof piece);
    if (size <= 0) return;
    said_.append(piece, static_cast<std::size_t>(size));
    if (said_.size() > most_said) said_.erase(0, said_.size() - most_said);
  }
}

Client Aside::look() {
  if (end_) return *end_;
  read();
  int status = 0;
  const pid_t found = ::waitpid(process_, &status, WNOHANG);
  if (found == 0) return {ClientState::alive, 0, {}};
  read();  // what it said before it ended
  const std::string words = last_words_in(said_);
  end_ = found > 0 && WIFEXITED(status) ? Client{ClientState::ended, WEXITSTATUS(status), words}
                                        : Client{ClientState::gone, 0, words};
  return *end_;
}

void Aside::kill() {
  if (!end_) ::kill(-process_, SIGKILL);
}

Client ClientProcesses::client(const ClientAttempt& attempt) {
  const fs::path lock = file_of(attempt, "lock");
  // The supervisor has the lock until its end. One call for each job: hundreds are asked for each second.
  if (const auto child = children_.find(lock.string()); child != children_.end()) {
    if (::waitpid(child->second, nullptr, WNOHANG) == 0) return {ClientState::alive, 0, {}};
    children_.erase(child);
  }
  std::optional<bool> locked = is_locked(lock);
  if (!locked) {
    if (!fs::is_directory(attempt.folder)) {
      throw ExternalError({attempt.folder}, "is gone, and with it what tells whether commands run",
                          "bring it back; or make it again, once no command of the batch runs any more");
    }
    const FreshLock file(lock);
    file.write(never_text);
    if (file.put_in_place()) return {ClientState::never, 0, {}};
    locked = is_locked(lock);
  }
  if (locked.value_or(true)) return {ClientState::alive, 0, {}};
  if (text_of(lock, never_text.size()) == never_text) return {ClientState::never, 0, {}};
  std::istringstream exit(text_of(file_of(attempt, "exit"), 4096));
  std::string how;
  int number = 0;
  const std::string words = last_words_in(text_of(log_of(attempt), most_said));
  if (exit >> how >> number && how == "exit") return {ClientState::ended, number, words};
  return {ClientState::gone, 0, words};
}

void ClientProcesses::kill(const ClientAttempt& attempt) {
  const fs::path lock = file_of(attempt, "lock");
  if (!is_locked(lock).value_or(false)) return;
  std::istringstream holder(text_of(lock, 4096));
  int group = 0;
  std::string started;
  if (!(holder >> group >> started) || group <= 1) return;  // it has not begun to run
  if (start_of_process(group) != started) return;           // what lives is not of the command's group
  const auto [asked, first] = asked_to_end_.emplace(lock.string(), steady_now());
  if (first) {
    ::kill(-group, SIGTERM);
  } else if (steady_now() - asked->second >= grace) {
    ::kill(-group, SIGKILL);
  }
}

fs::path ClientProcesses::log_of(const ClientAttempt& attempt) {
  return file_of(attempt, "log");
}

fs::path find_program(const std::string& name) {
  const auto runs = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? fs::path(name) : fs::path();
  const char* folders = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::istringstream each(folders == nullptr ? "/bin:/usr/bin" : folders);
  for (std::string folder; std::getline(each, folder, ':');) {
    const fs::path path = fs::path(folder.empty() ? "." : folder) / name;
    if (runs(path)) return path;
  }
  return {};
}

}  // namespace wavewright
