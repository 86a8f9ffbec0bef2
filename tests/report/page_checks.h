// What tests ask of the HTML of a page.
#pragma once

#include <string>

namespace wavewright::sample {

// How often `part` stands in `text`.
[[nodiscard]] std::size_t count(const std::string& text, const std::string& part);

// The first element that is closed out of turn; empty when all are in order.
[[nodiscard]] std::string unbalanced(std::string html);

// What the page would ask others for: links, addresses, imports; empty when nothing.
[[nodiscard]] std::string from_outside(const std::string& html);

}  // namespace wavewright::sample
