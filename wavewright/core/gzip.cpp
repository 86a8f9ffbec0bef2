#include "wavewright/core/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <climits>
#include <new>
#include <utility>

#include "wavewright/core/error.h"

namespace wavewright {

struct Inflater::Stream {
  z_stream z{};
  std::string piece = std::string(std::size_t{256} << 10, '\0');
  enum class Place { member, between, padding } place = Place::member;
  std::string between;  // first byte after a member

  Stream() {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&z, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::size_t inflated_limit(std::size_t stored, std::size_t limit) {
  constexpr std::size_t least = std::size_t{64} << 20;
  constexpr std::size_t most_shrunk = 200;
  return std::min(limit, stored > limit / most_shrunk ? limit : std::max(least, stored * most_shrunk));
}

Inflater::Inflater(std::string source, std::size_t limit, Sink sink)
    : source_(std::move(source)), limit_(limit), sink_(std::move(sink)) {}

Inflater::~Inflater() = default;

void Inflater::take(std::string_view bytes) {
  if (bytes.empty()) return;
  taken_ += bytes.size();
  if (kind_ == Kind::unknown) {
    start_ += bytes;
    if (start_ == "\x1f") return;
    kind_ = is_gzip(start_) ? Kind::gzip : Kind::plain;
    if (kind_ == Kind::gzip) stream_ = std::make_unique<Stream>();
    bytes = start_;
  }
  if (kind_ == Kind::plain) {
    hand_on(bytes);
  } else {
    inflate(bytes);
  }
}

void Inflater::hand_on(std::string_view piece) {
  given_ += piece.size();
  if (given_ > limit_) {
    throw InputError({source_}, "larger than " + std::to_string(limit_) + " bytes", "split it");
  }
  sink_(piece);
}

void Inflater::inflate(std::string_view bytes) {
  using Place = Stream::Place;
  z_stream& z = stream_->z;
  while (!bytes.empty() && stream_->place != Place::padding) {
    if (stream_->place == Place::between) {
      // Another member, or padding after the last one.
      const bool first = stream_->between.empty();
      stream_->between += bytes.front();
      bytes.remove_prefix(1);
      if (first) continue;
      if (!is_gzip(stream_->between)) {
        stream_->place = Place::padding;
        return;
      }
      stream_->place = Place::member;
      inflateReset(&z);
      inflate(std::exchange(stream_->between, {}));
      continue;
    }
    // zlib's input pointer lacks const, though it only reads. Its counts have 32 bits.
    const auto given = static_cast<uInt>(std::min<std::size_t>(bytes.size(), INT_MAX));
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z.avail_in = given;
    int code = Z_OK;
    do {
      z.next_out = reinterpret_cast<Bytef*>(stream_->piece.data());
      z.avail_out = static_cast<uInt>(stream_->piece.size());
      code = ::inflate(&z, Z_NO_FLUSH);
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
        const std::size_t left = bytes.size() - given + z.avail_in;
        throw InputError({source_, 0, static_cast<std::int64_t>(taken_ - left)}, "damaged gzip",
                         "fetch the file again");
      }
      const std::size_t got = stream_->piece.size() - z.avail_out;
      const std::size_t read = taken_ - (bytes.size() - given + z.avail_in);
      const std::size_t allowed = inflated_limit(read, limit_);
      if (given_ + got > allowed) {
        throw InputError({source_}, "inflates to more than " + std::to_string(allowed) + " bytes",
                         "no history shrinks that far; unpack it yourself if it is one");
      }
      hand_on(std::string_view(stream_->piece).substr(0, got));
    } while (code == Z_OK && (z.avail_in > 0 || z.avail_out == 0));
    bytes.remove_prefix(given - z.avail_in);
    if (code == Z_STREAM_END) stream_->place = Place::between;
  }
}

void Inflater::end() {
  if (kind_ == Kind::unknown && !start_.empty()) hand_on(start_);
  if (kind_ != Kind::gzip || stream_->place != Stream::Place::member) return;
  throw InputError({source_}, "gzip file ends early", "fetch the file again");
}

}  // namespace wavewright
