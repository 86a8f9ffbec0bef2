#include "wavewright/core/time.h"

#include "tests/property.h"

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

TEST(Duration, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_duration("8min"), ms(480'000));
  EXPECT_EQ(parse_duration("1h30m"), ms(5'400'000));
  EXPECT_EQ(parse_duration("250ms"), ms(250));
  EXPECT_EQ(parse_duration("2.5h"), ms(9'000'000));
  EXPECT_EQ(parse_duration("90"), ms(90'000));
}

TEST(Duration, RefusesWhatIsNone) {
  for (const char* text :
       {"", "-5s", "nan", "inf", "5 parsecs", "5x", "s", "1h30", "1e400h", "99999999999999999d"}) {
    EXPECT_THROW((void)parse_duration(text), UsageError) << text;
  }
}

TEST(Duration, ShortFormReadsBackWithinItsPrecision) {
  holds_always([] {
    const Duration value = ms(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40));
    const Duration back = parse_duration(format_duration(value));
    RC_ASSERT(std::abs(to_ms(back - value)) <= to_ms(value) / 24 + 100);
  });
}

TEST(Instant, IsUtc) {
  EXPECT_EQ(format_utc(at_ms(1'700'000'000'123)), "2023-11-14 22:13:20");
}

}  // namespace
}  // namespace wavewright
