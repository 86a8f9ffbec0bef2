#include "wavewright/live/submission/signature.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/system_library.h"

namespace wavewright {

namespace {

template <class Function>
Function* crypto(const char* name) {
  return function_in<Function>(SystemLibrary::crypto, name);
}

}  // namespace

std::string signature_of(std::string_view text, std::string_view key) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  static auto* const hmac = crypto<decltype(HMAC)>("HMAC");
  static const EVP_MD* const sha256 = crypto<decltype(EVP_sha256)>("EVP_sha256")();
  if (hmac(sha256, key.data(), static_cast<int>(key.size()), bytes, text.size(), digest.data(), &size) ==
      nullptr)
    throw InternalError("HMAC failed");
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

bool same_signature(std::string_view a, std::string_view b) {
  static auto* const differ = crypto<decltype(CRYPTO_memcmp)>("CRYPTO_memcmp");
  return a.size() == b.size() && differ(a.data(), b.data(), a.size()) == 0;
}

}  // namespace wavewright
