// Manual pages in roff, one per command, from the definitions that --help shows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/completion/command_tree.h"

namespace wavewright::app {

// `wavewright-workload-gen.1`
[[nodiscard]] std::string man_page_name(const CommandEntry& command);

[[nodiscard]] std::string man_page(const CommandEntry& root, const CommandEntry& command);

// Writes a page for each command to `folder` (created if missing); returns the paths. Throws ExternalError.
std::vector<std::string> write_man_pages(const CommandEntry& root, const std::filesystem::path& folder);

}  // namespace wavewright::app
