// Files with a token of the HTTP API.
#pragma once

#include <filesystem>
#include <string>

namespace wavewright::app {

// The file that `serve` leaves for this account. All its daemons on this machine take the token in it.
[[nodiscard]] std::filesystem::path own_token_file();

// The one line of the file. Throws ExternalError if it cannot be read, UsageError if others may read it, and
// InputError if it has no token.
[[nodiscard]] std::string token_in(const std::filesystem::path& file);

}  // namespace wavewright::app
