#include "wavewright/core/start_program.h"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "wavewright/core/error.h"

extern char** environ;

namespace wavewright {

Spawn::Spawn() {
  posix_spawn_file_actions_init(&files_);
  posix_spawnattr_init(&how_);
}

Spawn::~Spawn() {
  posix_spawn_file_actions_destroy(&files_);
  posix_spawnattr_destroy(&how_);
}

void Spawn::open(int descriptor, const char* file, int flags) {
  constexpr mode_t mode = 0600;
  posix_spawn_file_actions_addopen(&files_, descriptor, file, flags, mode);
}

void Spawn::copy(int from, int to) {
  posix_spawn_file_actions_adddup2(&files_, from, to);
}

void Spawn::in_own_group() {
  posix_spawnattr_setpgroup(&how_, 0);
  flags_ |= POSIX_SPAWN_SETPGROUP;
}

void Spawn::with_default(const sigset_t& signals) {
  posix_spawnattr_setsigdefault(&how_, &signals);
  flags_ |= POSIX_SPAWN_SETSIGDEF;
}

void Spawn::with_none_blocked() {
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&how_, &none);
  flags_ |= POSIX_SPAWN_SETSIGMASK;
}

pid_t Spawn::start(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  words.push_back(nullptr);
  posix_spawnattr_setflags(&how_, static_cast<short>(flags_));
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, words[0], &files_, &how_, words.data(), environ);
  if (failed != 0) refuse_program(command[0], "cannot be started", failed);
  return process;
}

void refuse_program(const std::string& program, const std::string& problem, int error) {
  throw ExternalError({program}, problem + ": " + std::strerror(error),
                      "check that it is there, and its rights");
}

int exit_status_of(int told) {
  constexpr int signalled = 128;
  return WIFEXITED(told) ? WEXITSTATUS(told) : signalled + WTERMSIG(told);
}

int wait_for_end(pid_t process) {
  int told = 0;
  while (::waitpid(process, &told, 0) < 0 && errno == EINTR) {
  }
  return exit_status_of(told);
}

}  // namespace wavewright
