#include "wavewright/serve/announced_body.h"

#include <gtest/gtest.h>

#include <limits>

namespace wavewright {
namespace {

int status_of(const AnnouncedBody& body) {
  const auto refused = refuse_body(body);
  return refused ? refused->status : 0;
}

TEST(AnnouncedBody, TheLengthIsWhatContentLengthSays) {
  EXPECT_EQ(announced_bytes({}), std::nullopt);
  EXPECT_EQ(announced_bytes({.content_lengths = {"0"}}), 0U);
  EXPECT_EQ(announced_bytes({.content_lengths = {"0017"}}), 17U);
  EXPECT_EQ(announced_bytes({.content_lengths = {"18446744073709551616"}}),
            std::numeric_limits<std::uint64_t>::max());
  for (const char* wrong : {"", "-1", "+1", " 1", "1 ", "1e3", "0x10", "1,1", "18446744073709551616x"})
    EXPECT_EQ(announced_bytes({.content_lengths = {wrong}}), std::nullopt) << wrong;
}

TEST(AnnouncedBody, OneOfAKnownLengthIsReadUpToALimit) {
  EXPECT_EQ(status_of({}), 0);
  EXPECT_EQ(status_of({.content_lengths = {"0"}}), 0);
  EXPECT_EQ(status_of({.content_lengths = {"8388608"}, .content_type = "application/json"}), 0);
  EXPECT_EQ(status_of({.content_lengths = {"8388609"}}), 413);
  EXPECT_EQ(status_of({.content_lengths = {"18446744073709551616"}}), 413);
  EXPECT_EQ(status_of({.content_lengths = {"-1"}}), 400);
  EXPECT_EQ(status_of({.content_lengths = {"2", "2"}}), 400);
  EXPECT_EQ(status_of({.content_lengths = {"2", "9999999"}}), 400);
}

TEST(AnnouncedBody, AFormIsReadUpToALimitOfItsOwn) {
  const std::string form = "application/x-www-form-urlencoded; charset=utf-8";
  EXPECT_EQ(status_of({.content_lengths = {"8192"}, .content_type = form}), 0);
  EXPECT_EQ(status_of({.content_lengths = {"8193"}, .content_type = form}), 413);
}

TEST(AnnouncedBody, OneInChunksOrCompressedIsNotRead) {
  EXPECT_EQ(status_of({.transfer_encodings = {"chunked"}}), 411);
  EXPECT_EQ(status_of({.transfer_encodings = {"gzip, chunked"}}), 411);
  EXPECT_EQ(status_of({.content_lengths = {"2"}, .transfer_encodings = {"identity"}}), 411);
  EXPECT_EQ(status_of({.content_lengths = {"2"}, .content_encodings = {"gzip"}}), 415);
  EXPECT_EQ(status_of({.content_encodings = {"br"}}), 415) << "also without a body";
  EXPECT_EQ(status_of({.content_lengths = {"2"}, .content_encodings = {"identity", "deflate"}}), 415);
  EXPECT_EQ(status_of({.content_lengths = {"2"}, .content_encodings = {"identity, gzip"}}), 415);
  EXPECT_EQ(status_of({.content_lengths = {"2"}, .content_encodings = {"identit"}}), 415);
  EXPECT_EQ(status_of({.content_lengths = {"2"}, .content_encodings = {"Identity"}}), 0);
}

}  // namespace
}  // namespace wavewright
