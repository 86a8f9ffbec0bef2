#include "wavewright/cloud/provision/user_data.h"

#include <openssl/evp.h>

#include <fmt/format.h>

#include "wavewright/core/system_library.h"

namespace wavewright {

std::string base64_text(const std::string& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  static auto* const encode =
      function_in<decltype(EVP_EncodeBlock)>(SystemLibrary::crypto, "EVP_EncodeBlock");
  const int length =
      encode(reinterpret_cast<unsigned char*>(text.data()),
             reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::string self_ending_script(Duration lifetime, const std::string& own) {
  constexpr Duration minute = ms(60'000);
  std::string script = fmt::format("#!/bin/sh\nshutdown -P +{}\n", (lifetime + minute - ms(1)) / minute);
  if (own.empty()) return script;
  return script + fmt::format(
                      "base64 -d >/run/wavewright-user-data <<'END'\n{}\nEND\n"
                      "chmod 700 /run/wavewright-user-data\nexec /run/wavewright-user-data\n",
                      base64_text(own));
}

}  // namespace wavewright
