#include "wavewright/core/when.h"

#include <cstdlib>
#include <ctime>
#include <string>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

// Every test in a zone with daylight saving, two hours east of Greenwich in summer, one in winter.
class When : public testing::Test {
 protected:
  void SetUp() override { set_zone("CET-1CEST,M3.5.0,M10.5.0/3"); }
  void TearDown() override { set_zone("UTC"); }
  static void set_zone(const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
  static Time utc(const std::string& text) { return parse_when(text + "Z", {}, {}); }

  Time now_ = utc("2026-11-20T08:30:00");  // 09:30 on the local clock
};

TEST_F(When, IsoInstantsSayTheirZoneOrTakeTheLocalOne) {
  EXPECT_EQ(to_ms(utc("2023-11-14T22:13:20.123")), 1'700'000'000'123);
  EXPECT_EQ(parse_when("2026-11-19T22:00", now_, now_), utc("2026-11-19T21:00"));
  EXPECT_EQ(parse_when("2026-07-19 22:00:05", now_, now_), utc("2026-07-19T20:00:05")) << "summer time";
  EXPECT_EQ(parse_when("2026-11-19T22:00+05:30", now_, now_), utc("2026-11-19T16:30"));
  EXPECT_EQ(parse_when("2026-11-19", now_, now_), utc("2026-11-18T23:00"));
  EXPECT_EQ(parse_when("@1700000000123", now_, now_), at_ms(1'700'000'000'123));
}

TEST_F(When, RelativeTimes) {
  EXPECT_EQ(parse_when("now", now_, now_), now_);
  EXPECT_EQ(parse_when("now-2h", now_, now_), now_ - ms(7'200'000));
  EXPECT_EQ(parse_when("now+5min", now_, now_), now_ + ms(300'000));
  EXPECT_EQ(parse_when("today", now_, now_), utc("2026-11-19T23:00"));
  EXPECT_EQ(parse_when("yesterday", now_, now_), utc("2026-11-18T23:00"));
}

TEST_F(When, LastNightIsTheLatestSuchNight) {
  const TimeSpan night = parse_span("22:00", "06:00", now_);
  EXPECT_EQ(night.from, utc("2026-11-19T21:00"));
  EXPECT_EQ(night.to, utc("2026-11-20T05:00"));
  const Time at_night = utc("2026-11-20T02:00");  // 03:00: this night's 06:00 is still to come
  EXPECT_EQ(parse_span("22:00", "06:00", at_night).to, utc("2026-11-19T05:00"));
  EXPECT_EQ(parse_span("22:00", "now", at_night).from, utc("2026-11-19T21:00"));
  EXPECT_EQ(parse_span("09:30", "now", now_ + ms(1)).from, now_) << "the present minute counts";
}

TEST_F(When, ANightWithTheClockSetBackHasAnHourMore) {
  const Time morning = utc("2026-10-25T09:00");
  const TimeSpan night = parse_span("22:00", "06:00", morning);
  EXPECT_EQ(night.to - night.from, ms(9 * 3'600'000));
}

TEST_F(When, RefusesWhatIsNone) {
  for (const char* text :
       {"", "25:00", "22:60", "22", "2026-02-30", "2026-13-01", "2026-11-19T", "2026-11-19T22:00X", "now-",
        "now-nan", "tomorow", "@", "@-5", "@1e9", "22:00 ", "2026-11-19T22:00+1"}) {
    EXPECT_THROW((void)parse_when(text, now_, now_), UsageError) << text;
  }
  EXPECT_THROW((void)parse_span("now", "now-1h", now_), UsageError);
  EXPECT_THROW((void)parse_span("now", "now", now_), UsageError);
}

}  // namespace
}  // namespace wavewright
