// Files: written aside and renamed, so that a half-written one is never seen.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace wavewright {

// Calls `write` with a stream to a temporary file beside `path`, then renames it to `path`. On any error
// the temporary is removed, `path` stays as it was, and ExternalError says why. A link is followed, the mode
// of an existing file kept; a device or pipe is written straight to, for nothing can stand in its place.
// `readers`: who may read a file that holds secrets; `all` leaves that to the user's own settings.
enum class FileReaders { all, owner };
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                FileReaders readers = FileReaders::all);

// The whole file; inflates it when it is gzip. Throws ExternalError when it cannot be read and InputError
// when (inflated) it is larger than `limit` bytes or its gzip stream is damaged.
[[nodiscard]] std::string read_file(const std::filesystem::path& path,
                                    std::size_t limit = std::size_t{4} << 30);

// The first bytes, at most `count`, of the file (inflated when it is gzip). Throws as read_file does.
[[nodiscard]] std::string read_start(const std::filesystem::path& path, std::size_t count);

}  // namespace wavewright
