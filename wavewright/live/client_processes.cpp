#include "wavewright/live/client_processes.h"

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

#include "wavewright/core/error.h"
#include "wavewright/core/keytab.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;

constexpr int lock_number = 3;  // the supervisor's file descriptor
constexpr Duration grace = ms(5'000);

// The folder and the tag come from the store: neither may lead to a file of somebody else.
fs::path file_of(const ClientAttempt& attempt, const char* suffix) {
  if (attempt.tag.empty() || attempt.tag.find('/') != std::string::npos)
    throw InputError({attempt.folder}, "a job's tag is none", "restore the store from a copy");
  return fs::path(attempt.folder) / fmt::format("{}.{}.{}", attempt.tag, attempt.number, suffix);
}

[[noreturn]] void refuse(const fs::path& path, const std::string& what, int error) {
  throw ExternalError({path.string()}, what + ": " + std::strerror(error),
                      "check the folder, and that its disk is not full");
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

// As pointers for exec, which wants them ended by a null.
std::vector<char*> pointers_of(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words)
    pointers.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  pointers.push_back(nullptr);
  return pointers;
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

constexpr int cannot_run = 126, not_found = 127;

constexpr std::string_view never_text = "never\n";
// Room in the lock file for the process group of the command, without which it could not be killed. On a full
// disk a command is not started: nothing that it says would be kept.
constexpr std::size_t room_of_holder = 64;

Duration steady_now() {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

// The 22nd field of /proc/PID/stat, which tells a process from a later one of the same number; empty if it is
// gone.
std::string start_of_process(int process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string stat;
  std::getline(file, stat);
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string field;
  constexpr int fields_between = 20;
  for (int i = 0; i < fields_between; ++i) fields >> field;
  return field;
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
  const std::vector<std::string> environment = environment_for_children();
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
  children_.push_back(spawn(words, [&](posix_spawn_file_actions_t& files) {
    posix_spawn_file_actions_adddup2(&files, file.get(), lock_number);
  }));
}

void ClientProcesses::forget(const ClientAttempt& attempt) {
  for (const char* suffix : {"lock", "exit", "log"}) {
    std::error_code ignored;
    fs::remove(file_of(attempt, suffix), ignored);
  }
}

void ClientProcesses::run_aside(const std::vector<std::string>& command) {
  children_.push_back(spawn(command, [](posix_spawn_file_actions_t& files) {
    for (const int each : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&files, each, "/dev/null", O_WRONLY, 0);
  }));
}

Client ClientProcesses::client(const ClientAttempt& attempt) {
  std::erase_if(children_, [](int child) { return ::waitpid(child, nullptr, WNOHANG) != 0; });
  const fs::path lock = file_of(attempt, "lock");
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
  const std::string words = last_words_in(text_of(log_of(attempt), 16'384));
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

namespace {

// In the child: becomes the command. Ends the process if that cannot be.
[[noreturn]] void become_command(const ClientAttempt& attempt, const std::vector<std::string>& command) {
  const auto give_up = [](const std::string& what, int status) {
    fmt::print(stderr, "{}\n", what);
    std::fflush(stderr);
    ::_exit(status);
  };
  std::vector<std::string> environment = environment_for_children();
  if (!attempt.account.empty()) {
    // The number was judged by whoever started us: the name must still stand for it.
    const std::size_t colon = attempt.account.rfind(':');
    const std::string name = attempt.account.substr(0, colon), number = attempt.account.substr(colon + 1);
    try {
      const Account account = find_account(name, 1);
      if (std::to_string(account.user) != number || !become(account))
        give_up(fmt::format("cannot become {}", name), cannot_run);
      environment = environment_of(account, environment);
    } catch (const Error& error) {
      give_up(error.problem(), cannot_run);
    }
  }
  // Not before: the account must be allowed to enter the folder.
  if (::chdir(attempt.directory.c_str()) != 0)
    give_up(fmt::format("cannot work in {}: {}", attempt.directory, std::strerror(errno)), cannot_run);
  ::execvpe(command[0].c_str(), pointers_of(command).data(), pointers_of(environment).data());
  const int error = errno;
  give_up(fmt::format("cannot run {}: {}", command[0], std::strerror(error)),
          error == ENOENT ? not_found : cannot_run);
  ::_exit(cannot_run);
}

}  // namespace

int supervise(const std::vector<std::string>& arguments) {
  constexpr std::size_t of_ours = 5;
  if (arguments.size() <= of_ours) return cannot_run;
  ::close_range(lock_number + 1, ~0U, 0);
  const ClientAttempt attempt{.folder = arguments[0],
                              .directory = arguments[3],
                              .tag = arguments[1],
                              .number = std::stoi(arguments[2]),
                              .machine = {},
                              .account = arguments[4]};
  const std::vector<std::string> command(arguments.begin() + of_ours, arguments.end());
  const int log =
      ::open(file_of(attempt, "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (log >= 0) {
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
  }
  for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(each, SIG_IGN);
  int begin[2];
  if (::pipe2(begin, O_CLOEXEC) != 0) return cannot_run;
  const pid_t process = ::fork();
  if (process < 0) return cannot_run;
  if (process == 0) {
    ::setpgid(0, 0);
    for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(each, SIG_DFL);
    char go = 0;
    if (::read(begin[0], &go, 1) != 1) ::_exit(cannot_run);  // until the lock file holds its group
    become_command(attempt, command);
  }
  ::setpgid(process, process);
  const std::string holder = fmt::format("{} {}\n", process, start_of_process(process));
  {
    const Descriptor lock(::open(file_of(attempt, "lock").c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    (void)!::pwrite(lock.get(), holder.data(), holder.size(), 0);  // without it the command cannot be killed
  }
  (void)!::write(begin[1], "g", 1);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string how = WIFEXITED(status) ? fmt::format("exit {}\n", WEXITSTATUS(status))
                                            : fmt::format("signal {}\n", WTERMSIG(status));
  // The lock is held until the status is on the disk, however long that is full.
  const fs::path exit = file_of(attempt, "exit");
  const fs::path fresh = exit.string() + ".new";
  for (;;) {
    const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool written = file >= 0 && ::write(file, how.data(), how.size()) == std::ssize(how) &&
                         ::fsync(file) == 0 && ::rename(fresh.c_str(), exit.c_str()) == 0;
    if (file >= 0) ::close(file);
    if (written) return 0;
    if (!fs::is_directory(attempt.folder)) return cannot_run;
    ::sleep(1);
  }
}

}  // namespace wavewright
