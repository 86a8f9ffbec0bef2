// A program that runs beside this one: on the same terminal, with the same input and output.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wavewright {

class ProgramBeside {
 public:
  // Starts it without a shell, in this program's process group, so that Ctrl-C reaches both. With
  // `output_to_error`, its output goes to standard error. Throws ExternalError if it cannot be started.
  ProgramBeside(const std::vector<std::string>& command, bool output_to_error);
  // Waits for its end.
  ~ProgramBeside();
  ProgramBeside(const ProgramBeside&) = delete;
  ProgramBeside& operator=(const ProgramBeside&) = delete;
  ProgramBeside(ProgramBeside&&) = delete;
  ProgramBeside& operator=(ProgramBeside&&) = delete;

  // Its exit status, or 128 and the number of the signal that ended it; none while it runs.
  [[nodiscard]] std::optional<int> ended();
  // Asks it to end (SIGTERM).
  void ask_to_end() const;

 private:
  int process_ = 0;
  std::optional<int> status_;
};

}  // namespace wavewright
