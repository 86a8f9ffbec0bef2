// The document of a profile's number: the runs and tasks that it comes from
// (docs/formats/schemas/why.schema.json).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wavewright/profile/run_phases.h"
#include "wavewright/profile/why.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// A run's contribution to the statistic.
struct RunPart {
  const RunPhases* run = nullptr;  // must outlive the part
  std::string left_out;            // the reason; empty = the run counts
  Count tasks = 0;
  double mean_ms = 0;
  double max_ms = 0;
};

struct ProfileSources {
  std::string name;  // of the job
  Statistic statistic;
  std::size_t tasks = 0;            // in the phase
  std::vector<TaskSource> nearest;  // to the statistic
  std::vector<RunPart> runs;
  std::map<std::string, Count> impossible;  // by run: tasks left out for impossible instants
};

[[nodiscard]] Json why_document(const ProfileSources& sources);

}  // namespace wavewright
