#include "wavewright/streaming/unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

TEST(Unit, IsTheSameAfterItsLine) {
  const Unit unit = parse_unit(line_of(Unit{"w0-c1", R"([0,"a\tb\n"])"}), "test");
  EXPECT_EQ(unit.id, "w0-c1");
  EXPECT_EQ(unit.work, R"([0,"a\tb\n"])");
}

TEST(Unit, OfAnotherLineIsRefused) {
  for (const char* line :
       {"", "12", "{}", R"({"unit":"a b","work":1})", R"({"unit":1,"work":1})", R"({"unit":"a"})"})
    EXPECT_THROW((void)parse_unit(line, "test"), InputError) << line;
}

TEST(Unit, ThatWouldBreakItsLineIsADefect) {
  EXPECT_THROW((void)line_of(Unit{"a\tb", "1"}), InternalError);
  EXPECT_THROW((void)line_of(Unit{"a", "1\n2"}), InternalError);
}

TEST(UnitResult, IsTheSameAfterItsLine) {
  const UnitResult good = parse_unit_result(line_of(UnitResult{"a", R"({"x":"}"})"}), "test");
  EXPECT_FALSE(good.failed());
  EXPECT_EQ(good.text, R"({"x":"}"})");
  const UnitResult bad = parse_unit_result(line_of(UnitResult{"b", {}, 3, "line\n\"7\""}), "test");
  EXPECT_TRUE(bad.failed());
  EXPECT_EQ(bad.status, 3);
  EXPECT_EQ(bad.error, "line\n\"7\"");
}

TEST(UnitResult, OfACutLineIsRefused) {
  const std::string whole = line_of(UnitResult{"a", R"({"x":[1,2,3]})"});
  for (std::size_t bytes = 0; bytes + 1 < whole.size(); ++bytes)
    EXPECT_THROW((void)parse_unit_result(whole.substr(0, bytes), "test"), InputError)
        << whole.substr(0, bytes);
}

}  // namespace
}  // namespace wavewright
