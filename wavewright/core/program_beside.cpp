#include "wavewright/core/program_beside.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wavewright/core/start_program.h"

namespace wavewright {

ProgramBeside::ProgramBeside(const std::vector<std::string>& command, bool output_to_error) {
  Spawn spawn;
  if (output_to_error) spawn.copy(STDERR_FILENO, STDOUT_FILENO);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGXFSZ);  // which this program ignores
  spawn.with_default(usual);
  process_ = spawn.start(command);
}

ProgramBeside::~ProgramBeside() {
  if (!status_) wait_for_end(process_);
}

std::optional<int> ProgramBeside::ended() {
  int ended = 0;
  if (!status_ && ::waitpid(process_, &ended, WNOHANG) == process_) status_ = exit_status_of(ended);
  return status_;
}

void ProgramBeside::ask_to_end() const {
  if (!status_) ::kill(process_, SIGTERM);
}

}  // namespace wavewright
