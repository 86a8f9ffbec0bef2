#include "apps/data_folder.h"

#include <cstdlib>

namespace wavewright::app {

namespace fs = std::filesystem;

fs::path data_folder() {
  if (const char* const data = std::getenv("WAVEWRIGHT_DATA"); data != nullptr && *data != '\0') return data;
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = (command.parent_path() / WAVEWRIGHT_INSTALLED_DATA).lexically_normal();
  if (!error && fs::is_directory(installed, error)) return installed;
  return command.parent_path() / "share" / "wavewright";
}

}  // namespace wavewright::app
