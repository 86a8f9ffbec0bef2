// CSV of a meter between a machine and its wall plug: power, or energy since some beginning.
//
//     time,watts                   time,node,joules
//     1795165486,231.5             2026-11-20T06:00:00Z,node3,1200381.2
//
// `time`: ms since 1970 (12 and more digits), seconds (fewer digits, with a fraction if wanted), or a date as
// `2026-11-20 06:00:00`, in the local zone unless it ends in `Z` or `+01:00`. An empty value is a dropped
// sample. Headings that come again, as where files were joined, are passed over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/energy/meters/source_series.h"

namespace wavewright {

// By the headings: energy if there is a column `joules`, else power.
[[nodiscard]] MeterUnit unit_of_plug_file(std::string_view text);

// A source a node, named `plug/node`, in order of first mention. Rows without a node are of `node`. Throws
// InputError with file and line for other headings, for both units, for a time that is none, and for a
// negative value.
[[nodiscard]] std::vector<SourceSeries> parse_plug_file(std::string_view text, const std::string& source,
                                                        const std::string& node);

}  // namespace wavewright
