// What readers of JSON traces share: a job an object, one damaged job does not end the trace, and a report of
// the jobs kept and dropped.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "wavewright/history/json.h"
#include "wavewright/history/reader.h"

namespace wavewright {

// Calls `job` for each object of the trace; what it throws as InputError drops that job with its reason.
// Diagnostics: dropped jobs by reason, a trace cut off, a trace without jobs, and at the end `note`s of jobs
// kept, and of what `imputed` says was made up (where any was kept).
void read_trace(std::string_view bytes, const std::string& source, const std::string& imputed,
                const std::function<void(json::Value job, const Position& where)>& job,
                const DiagnosticSink& diagnostics);

}  // namespace wavewright
