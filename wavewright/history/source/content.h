// What every place that holds history files shares: which names are none, how much is read, and what becomes
// of the bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wavewright/history/source.h"

namespace wavewright {

// A history of a million attempts is a few hundred MB; more is no history but a bomb.
inline constexpr std::size_t largest_history = std::size_t{1} << 30;

// A job's settings are some 300 KB.
inline constexpr std::size_t largest_settings = std::size_t{16} << 20;

// What a file of so many bytes holds in memory while it is read, about: a gzip of histories unpacks to ten
// times its size.
[[nodiscard]] std::size_t bytes_to_hold(std::string_view name, std::uintmax_t stored);

// Deeper than any history folder; a mounted loop ends here.
inline constexpr int deepest_folder = 64;

// `*_conf.xml`, `.crc`, `*.summary`, `_SUCCESS`, and temporary names that Hadoop renames when it is done.
[[nodiscard]] bool stands_beside_histories(std::string_view name);

// Reads a history of whatever format into `file`, whose name is set. Nothing is thrown.
void read_content(std::string_view bytes, FileHistory& file);

// Runs `read`; what it throws becomes a diagnostic, and the file gives no run.
void told_in(FileHistory& file, const std::function<void()>& read);

// The settings of the one job in `file`, where it has one and tells none itself: `fetch` gives the bytes (not
// gzip) of a name beside the history, or nothing.
void add_settings(FileHistory& file, std::string_view file_name,
                  const std::function<std::optional<std::string>(const std::string& name)>& fetch);

}  // namespace wavewright
