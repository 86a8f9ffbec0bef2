#include "wavewright/report/documents/counts.h"

#include <nlohmann/json.hpp>

namespace wavewright {

void add_counts(Json& document, const RunCounts& counts) {
  document["job_counts"] = {{"done", counts.done},
                            {"failed", counts.failed},
                            {"rejected", counts.rejected},
                            {"unfinished", counts.unfinished}};
  document["attempt_counts"] = {{"failed", counts.failed_attempts},
                                {"lost", counts.lost_attempts},
                                {"killed", counts.killed_attempts},
                                {"second", counts.second_attempts}};
}

}  // namespace wavewright
