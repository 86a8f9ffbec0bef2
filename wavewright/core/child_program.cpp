#include "wavewright/core/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "wavewright/core/start_program.h"

namespace wavewright {

namespace {

constexpr std::size_t most_complaints = std::size_t{1} << 16;

// Starts it as the leader of a process group, with standard error into `errors`.
pid_t start_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                    int errors) {
  Spawn spawn;
  spawn.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  spawn.open(STDOUT_FILENO, output.empty() ? "/dev/null" : output.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  spawn.copy(errors, STDERR_FILENO);
  sigset_t all;
  sigfillset(&all);
  spawn.with_default(all);
  spawn.with_none_blocked();
  spawn.in_own_group();
  return spawn.start(command);
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& output,
                       InterruptFlag interrupted) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) refuse_program(command[0], "cannot be started", errno);
  pid_t process = 0;
  try {
    process = start_program(command, output, pipe[1]);
  } catch (...) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    throw;
  }
  ::close(pipe[1]);
  ProgramEnd end;
  bool told = false;
  for (;;) {
    if (!told && interrupted != nullptr && *interrupted) {
      told = true;
      ::kill(-process, SIGTERM);
    }
    pollfd ready{pipe[0], POLLIN, 0};
    if (::poll(&ready, 1, interrupt_poll_ms) <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t got = ::read(pipe[0], piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // all that could write to it has ended
    end.complaints.append(piece.data(), static_cast<std::size_t>(got));
    if (end.complaints.size() > 2 * most_complaints)
      end.complaints.erase(0, end.complaints.size() - most_complaints);
  }
  ::close(pipe[0]);
  end.status = wait_for_end(process);
  if (told) throw Interrupted();
  return end;
}

}  // namespace wavewright
