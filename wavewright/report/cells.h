// Cells of tables that a heading sorts: `data-v` is what it sorts by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/report/report.h"

namespace wavewright::report {

// A right-aligned cell; `text` is HTML.
[[nodiscard]] std::string value_cell(double value, std::string_view text, std::string_view css_class = "n");

// An instant from the beginning of the batch; a dash where there is none.
[[nodiscard]] std::string time_cell(std::optional<Time> time, std::string_view css_class = "n");

// Id in the job's colour, and name.
[[nodiscard]] std::string job_cells(const std::vector<ReportJob>& jobs, std::size_t job);

// A heading; `number`: of right-aligned cells.
[[nodiscard]] std::string heading(std::string_view text, bool number = true);

// A table in a box that scrolls, with a field that finds rows by their first two cells. `head` and `rows`
// are HTML.
[[nodiscard]] std::string long_table(std::string_view id, std::string_view placeholder, std::string_view head,
                                     std::string_view rows);

}  // namespace wavewright::report
