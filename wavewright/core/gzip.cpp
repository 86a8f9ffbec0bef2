#include "wavewright/core/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <climits>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

struct Stream {
  z_stream z{};
  Stream() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&z, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::size_t inflated_limit(std::size_t stored, std::size_t limit) {
  constexpr std::size_t least = std::size_t{64} << 20;
  constexpr std::size_t most_shrunk = 200;
  return std::min(limit, stored > limit / most_shrunk ? limit : std::max(least, stored * most_shrunk));
}

std::string inflate(std::string_view bytes, std::size_t limit, const std::string& source) {
  Stream stream;
  std::string out;
  std::string piece(std::size_t{256} << 10, '\0');
  // zlib's input pointer lacks const, though it only reads. Its counts have 32 bits: the input is passed in
  // parts.
  auto* next = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  std::size_t left = bytes.size();
  int code = Z_OK;
  while (left > 0 || code == Z_OK) {
    const auto given = static_cast<uInt>(std::min<std::size_t>(left, INT_MAX));
    stream.z.next_in = next;
    stream.z.avail_in = given;
    stream.z.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.z.avail_out = static_cast<uInt>(piece.size());
    code = ::inflate(&stream.z, Z_NO_FLUSH);
    next += given - stream.z.avail_in;
    left -= given - stream.z.avail_in;
    const std::size_t got = piece.size() - stream.z.avail_out;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      throw InputError({source, 0, static_cast<std::int64_t>(bytes.size() - left)}, "damaged gzip",
                       "fetch the file again");
    }
    if (out.size() + got > limit) {
      throw InputError({source}, "inflates to more than " + std::to_string(limit) + " bytes",
                       "no history shrinks that far; unpack it yourself if it is one");
    }
    out.append(piece, 0, got);
    if (code == Z_BUF_ERROR || (code == Z_OK && left == 0 && got == 0)) {
      throw InputError({source}, "gzip file ends early", "fetch the file again");
    }
    if (code != Z_STREAM_END || left == 0) continue;
    if (!is_gzip({reinterpret_cast<const char*>(next), left})) break;  // padding after the last member
    inflateReset(&stream.z);
    code = Z_OK;
  }
  return out;
}

}  // namespace wavewright
