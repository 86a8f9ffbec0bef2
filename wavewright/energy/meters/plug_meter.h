// A wall-plug meter whose program appends to a CSV file (plug_file.h) while we record.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "wavewright/energy/meters/meter.h"

namespace wavewright {

// Gives the file's whole lines from `since` on, once each. Of a file with a column `node`, those of `node`.
// Throws ExternalError where there is no file, InputError for what is malformed. A malformed line that comes
// later costs no other. A file that is begun anew is read from its beginning.
[[nodiscard]] std::unique_ptr<Meter> open_plug(const std::filesystem::path& file, const std::string& node,
                                               Time since);

}  // namespace wavewright
