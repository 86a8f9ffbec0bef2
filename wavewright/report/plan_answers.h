// What `wavewright plan --out` says of its plan besides, as far as the report shows it.
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

// From the plan file, which is of that batch. InputError on a `deadline` or a `risk` that is none.
[[nodiscard]] ReportAnswers read_answers(const std::string& path, const Workload& batch);

}  // namespace wavewright
