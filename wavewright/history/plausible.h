// Numbers that cannot be: kept as told, but never in silence.
#pragma once

#include "wavewright/history/reader.h"
#include "wavewright/history/run.h"

namespace wavewright {

// One warning for each kind of impossibility in `run`, with how often and where first: attempts, tasks or the
// job finishing before they start, a reduce's phases out of order, a succeeded job whose tasks are not as
// many as it planned. O(tasks + attempts).
void report_implausible(const JobRun& run, const DiagnosticSink& diagnostics);

}  // namespace wavewright
