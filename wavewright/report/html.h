// Text into HTML and JSON, so that no name of a job can be more than text.
#pragma once

#include <string>
#include <string_view>

namespace wavewright::report {

// Valid UTF-8 whatever comes in: bad sequences and control characters become U+FFFD. O(size).
[[nodiscard]] std::string clean_utf8(std::string_view text);

// For element content and quoted attributes: & < > " ' as references, after clean_utf8.
[[nodiscard]] std::string escape(std::string_view text);

// A quoted JSON string that may stand inside a <script> element: < > & as \u escapes, after clean_utf8.
[[nodiscard]] std::string json_string(std::string_view text);

// An escaped name in an element of its own direction, so that right-to-left marks stay inside.
[[nodiscard]] std::string isolated(std::string_view text);

// At most `most` characters (code points), the rest replaced by an ellipsis; not escaped.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

// Characters (code points) of valid UTF-8.
[[nodiscard]] std::size_t length(std::string_view utf8);

}  // namespace wavewright::report
