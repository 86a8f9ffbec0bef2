// Documents: results as JSON objects (docs/formats/schemas/), the same for the command's --json, files, the
// web page and bindings. Members keep their order. Durations and instants are integers in ms; an unknown
// value is null.
//
// One file per document: a function from result values to JSON that reads no clock, file or flag.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace wavewright {

using Json = nlohmann::ordered_json;

}  // namespace wavewright
