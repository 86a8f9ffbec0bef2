// Signatures with a secret that two programs share: HMAC with SHA-256, in hexadecimal.
#pragma once

#include <string>
#include <string_view>

namespace wavewright {

[[nodiscard]] std::string signature_of(std::string_view text, std::string_view key);

// In a time that does not depend on where they differ.
[[nodiscard]] bool same_signature(std::string_view a, std::string_view b);

}  // namespace wavewright
