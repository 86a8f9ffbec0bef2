// Help text that fits 100 columns.
#pragma once

#include <memory>

#include <CLI/App.hpp>

namespace wavewright::app {

// CLI11's formatter writes each description on one line, however long; this one wraps them at words.
[[nodiscard]] std::shared_ptr<CLI::Formatter> help_formatter();

// Breaks a text at blanks so that no line is longer than `width`, but for words that are.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t width);

}  // namespace wavewright::app
