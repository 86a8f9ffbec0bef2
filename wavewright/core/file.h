// Files are written to a temporary name and renamed, so that nobody sees a half-written one.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace wavewright {

// Throws ExternalError if write_file could not even begin: before long work.
void check_writable(const std::filesystem::path& path);

// Calls `write` with a stream to a temporary file beside `path`, then renames it to `path`. On any error the
// temporary file is removed, `path` stays as it was, and ExternalError gives the reason. Links are followed;
// the mode of an existing file is kept. Devices and pipes are written directly, as they cannot be replaced.
// `readers`: who may read the file; `owner` is for secrets, `all` leaves the mode to the user's umask.
enum class FileReaders { all, owner };
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                FileReaders readers = FileReaders::all);

// Reads the whole file and inflates gzip. Throws ExternalError if it cannot be read. Throws InputError if it
// is larger than `limit` bytes (inflated) or its gzip stream is damaged.
[[nodiscard]] std::string read_file(const std::filesystem::path& path,
                                    std::size_t limit = std::size_t{4} << 30);

// Reads at most the first `count` bytes (inflated). Throws as read_file does.
[[nodiscard]] std::string read_start(const std::filesystem::path& path, std::size_t count);

// Makes a folder for state that only this account may enter. Throws ExternalError if that cannot be.
void make_private_folder(const std::filesystem::path& folder);

}  // namespace wavewright
