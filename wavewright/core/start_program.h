// Starts other programs, without a shell. child_program.h, program_answer.h and program_beside.h are made of
// it.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace wavewright {

class Spawn {
 public:
  Spawn();
  ~Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;
  Spawn(Spawn&&) = delete;
  Spawn& operator=(Spawn&&) = delete;

  // The program's `descriptor` is this file; with `flags` of open(), new files for this account alone.
  void open(int descriptor, const char* file, int flags);
  // The program's `to` is this one's `from`.
  void copy(int from, int to);
  // It leads a process group of its own.
  void in_own_group();
  // These signals end it as usual, though this program may ignore them.
  void with_default(const sigset_t& signals);
  // No signal is blocked.
  void with_none_blocked();

  // Throws ExternalError if the program cannot be started.
  [[nodiscard]] pid_t start(const std::vector<std::string>& command);

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t how_{};
  int flags_ = 0;
};

// Throws ExternalError with the program's name: `problem: ` and the words for `error`.
[[noreturn]] void refuse_program(const std::string& program, const std::string& problem, int error);

// Exit status, or 128 and the number of the signal that ended it, from what waitpid() tells.
[[nodiscard]] int exit_status_of(int told);
// Waits until the process ends; its exit status, likewise.
int wait_for_end(pid_t process);

}  // namespace wavewright
