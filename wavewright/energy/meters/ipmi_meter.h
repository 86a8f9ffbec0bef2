// IPMI: the power of the whole machine as its management controller tells it, through `ipmitool dcmi power
// reading`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wavewright/energy/meters/meter.h"

namespace wavewright {

// Runs the program once. Throws ExternalError where it is missing, tells no power, or takes longer than
// `limit`. A later reading that fails or is late is a dropped sample.
[[nodiscard]] std::unique_ptr<Meter> open_ipmi(const std::string& program = "ipmitool",
                                               Duration limit = ms(5000));

// The watts behind `Instantaneous power reading:`; none where the text has no such line, or the reading is
// deactivated.
[[nodiscard]] std::optional<std::int64_t> parse_power_reading(std::string_view text);

}  // namespace wavewright
