// Values that may be absent, as JSON: null where they are. Instants and durations are in ms.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "wavewright/core/time.h"

namespace wavewright {

template <class Value>
[[nodiscard]] nlohmann::ordered_json or_null(const std::optional<Value>& value) {
  if (!value) return nullptr;
  if constexpr (requires { to_ms(*value); }) {
    return to_ms(*value);
  } else {
    return *value;
  }
}

}  // namespace wavewright
