// The document of `wavewright cost` (docs/formats/schemas/cost.schema.json).
#pragma once

#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cloud/choice/rental_choice.h"
#include "wavewright/report/documents/json.h"

namespace wavewright {

// An option, as it stands among the options of the document.
[[nodiscard]] Json rental_figures_json(const RentalFigures& figures);

// `workload`: of the first seed; `impossible`: of its jobs.
[[nodiscard]] Json rental_document(const RentalChoice& choice, const RentalQuestion& question,
                                   const std::vector<std::string>& left_out, const Workload& workload,
                                   const std::vector<ImpossibleDeadline>& impossible);

}  // namespace wavewright
