// Reads the additional results in a file of `wavewright plan --out` that the report shows.
#pragma once

#include <optional>
#include <string>

#include "wavewright/job/job.h"
#include "wavewright/report/report.h"

namespace wavewright {

struct ReportAnswers {
  std::optional<Duration> deadline;
  std::optional<ReportRisk> risk;
};

// Reads the plan file of this batch. Throws InputError for a malformed `deadline` or `risk`.
[[nodiscard]] ReportAnswers read_answers(const std::string& path, const Workload& batch);

}  // namespace wavewright
