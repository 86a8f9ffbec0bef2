// A history as it was read and packed for the store (store/read_ahead.h), as compact text in one line.
//
// Lossless: an import of texts stores what an import of the histories themselves stores, and tells the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wavewright/store/read_ahead.h"

namespace wavewright {

// Base64 of deflated bytes. The files must have no `error`. O(bytes).
[[nodiscard]] std::string text_of(const std::vector<ReadFile>& files);
// Throws InputError with `source` if the text is damaged.
[[nodiscard]] std::vector<ReadFile> files_of_text(std::string_view text, const std::string& source);

}  // namespace wavewright
