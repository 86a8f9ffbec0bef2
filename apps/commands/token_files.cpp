#include "apps/commands/token_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "apps/commands/run_live.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright::app {

std::filesystem::path own_token_file() {
  return state_folder() / "serve.token";
}

std::string token_in(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw UsageError(fmt::format("others may read the token in {}", file.string()), "chmod 600 it");
  std::string token = read_file(file, std::size_t{1} << 12);
  while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
  const bool plain =
      std::all_of(token.begin(), token.end(), [](unsigned char c) { return c > ' ' && c < 127; });
  if (token.empty() || !plain)
    throw InputError({file.string()}, "has no token",
                     "write the one line there that 'wavewright token create' showed");
  return token;
}

}  // namespace wavewright::app
