#include "wavewright/core/when.h"

#include <cstdlib>
#include <ctime>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

class When : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC-2", 1);  // two hours east of Greenwich
    tzset();
  }
  void TearDown() override {
    unsetenv("TZ");
    tzset();
  }
  static std::string utc(std::string_view text) { return format_utc(parse_when(text, now)); }

  static constexpr Time now = at_ms(1'795'161'600'000);  // 2026-11-20 08:00 UTC, 10:00 here
};

TEST_F(When, ReadsWhatPeopleWrite) {
  EXPECT_EQ(format_utc(now), "2026-11-20 08:00:00");
  EXPECT_EQ(utc("now"), "2026-11-20 08:00:00");
  EXPECT_EQ(utc("now-2h"), "2026-11-20 06:00:00");
  EXPECT_EQ(utc("today"), "2026-11-19 22:00:00");
  EXPECT_EQ(utc("yesterday"), "2026-11-18 22:00:00");
  EXPECT_EQ(utc("2026-11-03"), "2026-11-02 22:00:00");
  EXPECT_EQ(utc("2026-11-03T06:30"), "2026-11-03 04:30:00");
  EXPECT_EQ(utc("2026-11-03 06:30:15"), "2026-11-03 04:30:15");
  EXPECT_EQ(utc("2026-11-03T06:30:15Z"), "2026-11-03 06:30:15");
  EXPECT_EQ(utc("2026-11-03T06:30:15+01:00"), "2026-11-03 05:30:15");
  EXPECT_EQ(utc("2026-11-03 22:30-0530"), "2026-11-04 04:00:00");
  EXPECT_EQ(utc("1700000000123"), "2023-11-14 22:13:20");
}

TEST_F(When, AClockTimeIsTheLatestThatHasBeen) {
  EXPECT_EQ(utc("09:59"), "2026-11-20 07:59:00");
  EXPECT_EQ(utc("22:00"), "2026-11-19 20:00:00");
}

TEST_F(When, TenAtNightToSixInTheMorningIsOneNight) {
  const TimeRange morning_after = parse_range("22:00", "06:00", now);
  EXPECT_EQ(*morning_after.to - *morning_after.from, ms(8 * 3'600'000));
  const TimeRange next_evening = parse_range("22:00", "06:00", now + ms(13 * 3'600'000));  // 23:00 here
  EXPECT_EQ(*next_evening.to - *next_evening.from, ms(8 * 3'600'000));
  EXPECT_LT(*next_evening.to, now);
  EXPECT_FALSE(parse_range("", "", now).from);
  EXPECT_THROW((void)parse_range("today", "yesterday", now), UsageError);
}

TEST_F(When, RefusesWhatIsNone) {
  for (const char* text : {"", "tomorrow-ish", "25:00", "12:61", "2026-13-01", "2026-11-40", "-1:00", "now-",
                           "now-x", "2026-11-03T", "2026-11-03T06:00X", "12345", "6:00", "+1:00"}) {
    EXPECT_THROW((void)parse_when(text, now), UsageError) << text;
  }
}

}  // namespace
}  // namespace wavewright
