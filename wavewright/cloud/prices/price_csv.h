// Reads prices as comma-separated values (RFC 4180) with a header.
//
// Columns by name, in any order and case: the fields of the AWS command line (Timestamp, SpotPrice,
// InstanceType, AvailabilityZone, ProductDescription), or `time` (`time_ms`: ms from a beginning of one's
// own) and `price` (`price_usd`, `price_usd_per_hour`), with `instance_type`, `zone`, `product`, `currency`
// and `unit` if wanted. Other columns are passed over, and said.
#pragma once

#include <string>
#include <string_view>

#include "wavewright/cloud/prices/price_rows.h"

namespace wavewright {

// Throws InputError with file and line. O(size).
[[nodiscard]] PriceRows price_rows_of_csv(std::string_view text, const std::string& source);

}  // namespace wavewright
