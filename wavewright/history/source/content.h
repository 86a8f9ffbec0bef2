// Shared by all sources: which files are no histories, how much is read, and decoding.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wavewright/history/source.h"

namespace wavewright {

// A history of a million attempts has a few hundred MB; a larger one is taken for a zip bomb.
inline constexpr std::size_t largest_history = std::size_t{1} << 30;

// A job's settings have some 300 KB.
inline constexpr std::size_t largest_settings = std::size_t{16} << 20;

// Approximate memory for reading a file of `stored` bytes: a gzip of histories inflates ten-fold.
[[nodiscard]] std::size_t bytes_to_hold(std::string_view name, std::uintmax_t stored);

// Deeper than any history folder; ends a loop of mounts.
inline constexpr int deepest_folder = 64;

// True for `*_conf.xml`, `.crc`, `*.summary`, `_SUCCESS`, and temporary names that Hadoop renames when done.
[[nodiscard]] bool stands_beside_histories(std::string_view name);

// So many bytes are read of any file. It is read further only if they begin as a history of some format does.
inline constexpr std::size_t bytes_to_recognise = std::size_t{1} << 16;
[[nodiscard]] bool begins_as_history(std::string_view start);

// Reads a history of any format into `file`, whose name is set. Throws nothing.
void read_content(std::string_view bytes, FileHistory& file);

// Runs `read`; an exception becomes a diagnostic, and the file gives no run.
void told_in(FileHistory& file, const std::function<void()>& read);

// Adds settings if `file` has one job without any. `fetch` returns a file's bytes (not gzip), or nothing.
void add_settings(FileHistory& file, std::string_view file_name,
                  const std::function<std::optional<std::string>(const std::string& name)>& fetch);

}  // namespace wavewright
