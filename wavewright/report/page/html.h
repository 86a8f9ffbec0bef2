// Escapes text for HTML and JSON, so that user-given names are never markup.
#pragma once

#include <string>
#include <string_view>

namespace wavewright::report {

// Makes any bytes valid UTF-8: bad sequences and control characters become U+FFFD. O(size).
[[nodiscard]] std::string clean_utf8(std::string_view text);

// For element content and quoted attributes: clean_utf8, then & < > " ' as references.
[[nodiscard]] std::string escape(std::string_view text);

// A quoted JSON string for a <script> element: clean_utf8, then < > & as \u escapes.
[[nodiscard]] std::string json_string(std::string_view text);

// An escaped name in an element with its own text direction, so that right-to-left marks stay inside.
[[nodiscard]] std::string isolated(std::string_view text);

// At most `most` characters (code points), the rest replaced by an ellipsis; not escaped.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

// Characters (code points) of valid UTF-8.
[[nodiscard]] std::size_t length(std::string_view utf8);

}  // namespace wavewright::report
