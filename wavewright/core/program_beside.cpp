#include "wavewright/core/program_beside.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "wavewright/core/error.h"

extern char** environ;

namespace wavewright {

namespace {

int status_of(int ended) {
  constexpr int signalled = 128;
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : signalled + WTERMSIG(ended);
}

}  // namespace

ProgramBeside::ProgramBeside(const std::vector<std::string>& command, bool output_to_error) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  if (output_to_error) posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGXFSZ);  // which this program ignores
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
  const int failed = ::posix_spawnp(&process_, words[0], &files, &how, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0) {
    throw ExternalError({command[0]}, std::string("cannot be started: ") + std::strerror(failed),
                        "check that it is there, and its rights");
  }
}

ProgramBeside::~ProgramBeside() {
  int ended = 0;
  while (!status_ && ::waitpid(process_, &ended, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> ProgramBeside::ended() {
  int ended = 0;
  if (!status_ && ::waitpid(process_, &ended, WNOHANG) == process_) status_ = status_of(ended);
  return status_;
}

void ProgramBeside::ask_to_end() const {
  if (!status_) ::kill(process_, SIGTERM);
}

}  // namespace wavewright
