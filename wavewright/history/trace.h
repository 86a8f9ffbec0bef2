// Reads JSON traces, one object per job. A damaged job is dropped; kept and dropped jobs are reported.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "wavewright/history/json.h"
#include "wavewright/history/reader.h"

namespace wavewright {

// Calls `job` for each object of the trace; it returns whether the object is a job. If it throws InputError,
// that job is dropped with the reason.
// Diagnostics: jobs dropped by reason, a truncated trace, a trace without jobs; at the end a `note` of the
// jobs kept and of what was `imputed` (if any job was kept).
void read_trace(std::string_view bytes, const std::string& source, const std::string& imputed,
                const std::function<bool(json::Value job, const Position& where)>& job,
                const DiagnosticSink& diagnostics);

}  // namespace wavewright
