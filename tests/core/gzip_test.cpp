// gzip that arrives in pieces of any size.
#include "wavewright/core/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "tests/property.h"
#include "wavewright/core/error.h"

namespace wavewright {
namespace {

std::string packed(const std::string& text) {
  z_stream z{};
  constexpr int gzip_only = 16 + MAX_WBITS;
  EXPECT_EQ(deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, gzip_only, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&z, text.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// What comes out of `bytes` in pieces of `piece` bytes; a refusal is its text.
std::string inflated(const std::string& bytes, std::size_t piece, std::size_t limit = 1U << 30) {
  std::string out;
  Inflater inflater("f", limit, [&](std::string_view got) { out += got; });
  try {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      inflater.take(std::string_view(bytes).substr(at, piece));
    }
    inflater.end();
  } catch (const InputError& error) {
    return error.problem();
  }
  return out;
}

TEST(Inflater, TakesAnyMembersInAnyPieces) {
  holds_always([] {
    const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::arbitrary<std::string>());
    std::string bytes;
    std::string whole;
    for (const std::string& text : texts) {
      bytes += packed(text);
      whole += text;
    }
    const std::string padding = *rc::gen::element<std::string>("", std::string(3, '\0'), "\x1fno member");
    const auto piece = *rc::gen::inRange<std::size_t>(1, 40);
    if (!texts.empty()) bytes += padding;
    RC_ASSERT(inflated(bytes, piece) == whole);
  });
}

TEST(Inflater, WhatIsNoGzipPasses) {
  for (const std::string text : {"", "\x1f", "\x1fx", "plain", "P\x1f\x8b"}) {
    for (const std::size_t piece : {1U, 2U, 100U}) EXPECT_EQ(inflated(text, piece), text);
  }
}

TEST(Inflater, ACutOrDamagedStreamIsRefused) {
  const std::string whole = packed(std::string(10'000, 'x') + "the end");
  for (std::size_t cut = 2; cut < whole.size(); ++cut) {
    EXPECT_EQ(inflated(whole.substr(0, cut), 7), "gzip file ends early") << cut;
  }
  std::string damaged = whole;
  damaged[damaged.size() - 6] ^= 1;  // of the checksum
  EXPECT_EQ(inflated(damaged, 7), "damaged gzip");
}

TEST(Inflater, ABombEndsAtTheFirstByteTooMany) {
  const std::string bomb = packed(std::string(std::size_t{100} << 20, ' '));
  std::size_t out = 0;
  Inflater inflater("f", 1U << 30, [&](std::string_view piece) { out += piece.size(); });
  EXPECT_THROW(inflater.take(bomb), InputError);
  EXPECT_LE(out, inflated_limit(bomb.size(), 1U << 30));
  EXPECT_EQ(inflated("plain", 2, 4), "larger than 4 bytes");
}

TEST(Inflater, ABombIsRefusedByWhatWasReadOfIt) {
  constexpr std::size_t least = std::size_t{64} << 20;
  std::string noise(std::size_t{1} << 20,
                    ' ');  // does not shrink, so that the whole may be 200 times as large
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const std::string bomb = packed(std::string(std::size_t{250} << 20, ' ') + noise);
  std::size_t out = 0;
  Inflater inflater("f", 1U << 30, [&](std::string_view piece) { out += piece.size(); });
  EXPECT_THROW(inflater.take(bomb), InputError);
  EXPECT_LE(out, least) << "its own size would allow " << inflated_limit(bomb.size(), 1U << 30);
}

}  // namespace
}  // namespace wavewright
