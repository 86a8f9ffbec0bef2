// A body as the head of its request announces it, and if such a body is read [RFC 9110 §8.4, RFC 9112 §6].
//
// The HTTP server limits the bytes of Content-Length alone. A body in chunks, one without a length, and one
// that is inflated could fill the memory, so these are refused by the head, before a byte of the body is
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wavewright {

// Bytes at most: of any body, of one of the type application/x-www-form-urlencoded, and of one that is read
// before it is known who sends it.
inline constexpr std::size_t longest_body = std::size_t{8} << 20;
inline constexpr std::size_t longest_form = std::size_t{8} << 10;
inline constexpr std::size_t longest_of_anybody = std::size_t{64} << 10;

// The values of these headers, one for each time that they are there.
struct AnnouncedBody {
  std::vector<std::string> content_lengths = {}, transfer_encodings = {}, content_encodings = {};
  std::string content_type = {};
};

// The bytes of Content-Length. Absent without that header, or if it is no number. The greatest number stands
// for all above it.
[[nodiscard]] std::optional<std::uint64_t> announced_bytes(const AnnouncedBody& body);

struct RefusedBody {
  int status;  // 400, 411, 413 or 415
  std::string detail;
};

// Why such a body is never read, whoever sends it; absent if it may be. One without a length is not refused
// here: a request of another method than POST, PUT and PATCH has no body then.
[[nodiscard]] std::optional<RefusedBody> refuse_body(const AnnouncedBody& body);

}  // namespace wavewright
