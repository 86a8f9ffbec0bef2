// Reads a file that may be hostile: what it must not hold is refused before it is in memory.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace wavewright {

// Given each piece of the (inflated) content in order; throws to refuse the file.
using PieceCheck = std::function<void(std::string_view piece)>;

// As read_file (core/file.h). Memory holds the accepted content and one piece of 256 KiB.
[[nodiscard]] std::string read_file_checked(const std::filesystem::path& path, std::size_t limit,
                                            const PieceCheck& check);

}  // namespace wavewright
