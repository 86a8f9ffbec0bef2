// An order as the text that a store keeps: JSON.
#pragma once

#include <string>

#include "wavewright/cloud/provision/rent_order.h"

namespace wavewright {

[[nodiscard]] std::string order_text(const RentOrder& order);
// Throws InputError, which names the store, if the text is none.
[[nodiscard]] RentOrder parse_order(const std::string& text, const std::string& store);

}  // namespace wavewright
