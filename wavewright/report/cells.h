// Cells of sortable tables: `data-v` is the sort key.
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

// An instant from the batch's start; a dash if there is none.
[[nodiscard]] std::string time_cell(std::optional<Time> time, std::string_view css_class = "n");

// Name and id; without a name the id twice.
[[nodiscard]] std::string job_cells(const std::vector<ReportJob>& jobs, std::size_t job);

// A heading; `number` if its cells are right-aligned.
[[nodiscard]] std::string heading(std::string_view text, bool number = true);

// Opens a box that scrolls, by keyboard too; `name` for screen readers.
[[nodiscard]] std::string open_scroll(std::string_view name);

// A table in such a box, with a search over the first two cells of rows. `head`, `rows`: HTML.
[[nodiscard]] std::string long_table(std::string_view id, std::string_view name, std::string_view placeholder,
                                     std::string_view head, std::string_view rows);

}  // namespace wavewright::report
