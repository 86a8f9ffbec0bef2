// A spot price over time, as one self-contained SVG or page.
#pragma once

#include <string>
#include <vector>

#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/cloud/prices/price_risk.h"

namespace wavewright {

// A step line in US cents an hour over days from the beginning; each bid is a line across. Of more than
// `chart_columns` changes each column shows the lowest and the highest price. A pure function. O(points).
inline constexpr std::size_t chart_columns = 1000;
[[nodiscard]] std::string price_svg(const PriceHistory& history, const std::vector<Money>& bids = {});

// A page with that chart and a table of what each bid meets.
[[nodiscard]] std::string price_page(const PriceHistory& history, const std::vector<BidRisk>& risks);

}  // namespace wavewright
