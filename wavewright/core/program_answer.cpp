#include "wavewright/core/program_answer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "wavewright/core/start_program.h"

namespace wavewright {

namespace {

constexpr std::size_t most_text = std::size_t{1} << 16;

// The leader of a process group of its own; both outputs go to `into`.
pid_t start(const std::vector<std::string>& command, int into) {
  Spawn spawn;
  spawn.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  spawn.copy(into, STDOUT_FILENO);
  spawn.copy(into, STDERR_FILENO);
  spawn.in_own_group();
  return spawn.start(command);
}

}  // namespace

ProgramAnswer ask_program(const std::vector<std::string>& command, Duration limit) {
  using Clock = std::chrono::steady_clock;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) refuse_program(command[0], "cannot be started", errno);
  pid_t process = 0;
  try {
    process = start(command, pipe[1]);
  } catch (...) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    throw;
  }
  ::close(pipe[1]);
  ProgramAnswer answer;
  const Clock::time_point end = Clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{pipe[0], POLLIN, 0};
    answer.late = left <= 0;
    if (answer.late) break;
    if (::poll(&ready, 1, static_cast<int>(left)) <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t got = ::read(pipe[0], piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    answer.text.append(piece.data(), std::min(static_cast<std::size_t>(got), most_text - answer.text.size()));
  }
  ::close(pipe[0]);
  if (answer.late) ::kill(-process, SIGKILL);
  answer.status = wait_for_end(process);
  return answer;
}

}  // namespace wavewright
