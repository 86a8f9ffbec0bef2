// Documents: results as JSON objects (docs/formats/schemas/), the same for the command's --json, for files,
// for the web page and for bindings. A document keeps the order of its members. Durations and instants are
// integers of milliseconds; an unknown value is null.
//
// One file a document: a function from result values to JSON, which reads no clock, file or flag.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace wavewright {

using Json = nlohmann::ordered_json;

}  // namespace wavewright
