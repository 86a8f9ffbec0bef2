// Answers of a ResourceManager or a NameNode over HTTP, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "wavewright/history/json.h"

namespace wavewright {

// Throws ExternalError with the URL, what is wrong with its answer, and how to name a ResourceManager.
[[noreturn]] void not_a_resource_manager(const std::string& url, const std::string& what);

// The answer's value, which is valid as long as `document` has no other. Throws as not_a_resource_manager if
// the text is no JSON. O(text).
[[nodiscard]] json::Value parse_answer(json::Document& document, std::string_view text,
                                       const std::string& url);

// From `/conf` in JSON: the value of a key; empty if it has none. Throws as parse_answer. O(text).
[[nodiscard]] std::string parse_setting(std::string_view text, std::string_view key, const std::string& url);

}  // namespace wavewright
