// The worker: the mapper of a streaming job. It reads units on standard input and writes their results.
#pragma once

#include <functional>
#include <istream>
#include <ostream>
#include <string>

#include "wavewright/streaming/unit.h"

namespace wavewright {

// The result of a unit's work: JSON in one line. Throws Error.
using UnitWork = std::function<std::string(const Unit& unit)>;

struct WorkerOptions {
  // False: an ExternalError ends the worker, so that Hadoop makes another attempt, perhaps on another node.
  // True: it is the unit's result.
  bool last_attempt = true;
  int report_seconds = 30;  // between two signs of life
};

// Works until the input ends. An error of a unit is that unit's result; the others are not touched by it.
// `reports` gets Hadoop Streaming's lines: a status while a unit takes long, so that the task is not taken to
// hang, and counters of units and milliseconds. Returns the exit status: 0, or 4 after an ExternalError.
int run_units(std::istream& in, std::ostream& out, std::ostream& reports, const WorkerOptions& options,
              const UnitWork& work);

// As the environment of a streaming task tells: is this the last attempt that Hadoop makes at the task?
[[nodiscard]] bool is_last_attempt(const char* attempt_id, const char* most_attempts);

}  // namespace wavewright
