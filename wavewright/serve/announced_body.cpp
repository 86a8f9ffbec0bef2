#include "wavewright/serve/announced_body.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace wavewright {

namespace {

bool is_identity(std::string_view coding) {
  constexpr std::string_view identity = "identity";
  return std::equal(coding.begin(), coding.end(), identity.begin(), identity.end(),
                    [](unsigned char given, char meant) { return std::tolower(given) == meant; });
}

}  // namespace

std::optional<std::uint64_t> announced_bytes(const AnnouncedBody& body) {
  if (body.content_lengths.empty()) return std::nullopt;
  const std::string& text = body.content_lengths.front();
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : bytes;
}

std::optional<RefusedBody> refuse_body(const AnnouncedBody& body) {
  constexpr int bad_request = 400, length_required = 411, too_large = 413, unsupported = 415;
  if (!body.transfer_encodings.empty())
    return RefusedBody{length_required,
                       "a body with Transfer-Encoding is not read: send it whole, with Content-Length"};
  if (!std::all_of(body.content_encodings.begin(), body.content_encodings.end(), is_identity))
    return RefusedBody{unsupported,
                       "a compressed body is not read: send it as it is, without Content-Encoding"};
  if (body.content_lengths.empty()) return std::nullopt;
  const std::optional<std::uint64_t> bytes = announced_bytes(body);
  if (!bytes || body.content_lengths.size() > 1)
    return RefusedBody{bad_request, "Content-Length is not one number: send the bytes of the body"};
  if (*bytes > longest_body)
    return RefusedBody{too_large, fmt::format("a request has {} MiB at most", longest_body >> 20)};
  if (*bytes > longest_form && body.content_type.starts_with("application/x-www-form-urlencoded"))
    return RefusedBody{too_large, fmt::format("a form has {} KiB at most: send the header 'Content-Type: "
                                              "application/json'",
                                              longest_form >> 10)};
  return std::nullopt;
}

}  // namespace wavewright
