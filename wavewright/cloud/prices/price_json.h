// Reads what `aws ec2 describe-spot-price-history` prints: `{"SpotPriceHistory": [{…}, …]}`, or the list
// alone.
//
// Each row needs Timestamp and SpotPrice; InstanceType, AvailabilityZone and ProductDescription name the
// market. Other fields are passed over. It is read as a stream: memory holds the text and the rows.
#pragma once

#include <string>
#include <string_view>

#include "wavewright/cloud/prices/price_rows.h"

namespace wavewright {

// Throws InputError with the row, or the byte at which the text is no JSON. O(size).
[[nodiscard]] PriceRows price_rows_of_json(std::string_view text, const std::string& source);

}  // namespace wavewright
