// Help text of at most 80 columns.
#pragma once

#include <memory>

#include <CLI/App.hpp>

namespace wavewright::app {

// CLI11's formatter puts each description on one line; this one wraps it at words.
[[nodiscard]] std::shared_ptr<CLI::Formatter> help_formatter();

// Wraps a text at blanks to lines of at most `width` columns; longer words stay whole.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t width);

}  // namespace wavewright::app
