#include "wavewright/core/apart.h"

#include "tests/property.h"

namespace wavewright {
namespace {

TEST(Apart, EndsOfAnIntervalAreToldApart) {
  const auto minutes = [](std::int64_t count) { return ms(count * 60'000); };
  using Texts = std::vector<std::string>;
  const Duration days = minutes(3 * 1440 + 4 * 60);
  EXPECT_EQ(format_apart({days, days + minutes(600)}), (Texts{"3d4h", "3d14h"}));
  EXPECT_EQ(format_apart({days + minutes(10), days, days + minutes(12)}),
            (Texts{"3d4h10m", "3d4h", "3d4h12m"}));
  EXPECT_EQ(format_apart({days, days + ms(7'000), minutes(8)}), (Texts{"3d4h", "3d4h7s", "8min"}));
  EXPECT_EQ(format_apart({days, days}), (Texts{"3d4h", "3d4h"}));
  EXPECT_EQ(format_apart({days, days + ms(7)}), (Texts{"3d4h", "3d4h"}));
  EXPECT_EQ(format_apart({ms(-42'567), ms(-42'568)}), (Texts{"-42.567s", "-42.568s"}));
  EXPECT_EQ(format_apart({ms(62'567), ms(62'568), ms(62'000), ms(480'000), ms(9)}),
            (Texts{"1m2.567s", "1m2.568s", "1m2s", "8min", "9ms"}));
  EXPECT_EQ(format_apart({}), Texts{});
}

TEST(Apart, WhatIsPrintedAlikeDiffersByLessThanASecond) {
  holds_always([] {
    const std::int64_t most = std::int64_t{1} << *rc::gen::inRange(1, 40);
    const Duration a = ms(*rc::gen::inRange<std::int64_t>(0, most));
    const Duration b = a + ms(*rc::gen::inRange<std::int64_t>(1, std::max<std::int64_t>(2, most / 64)));
    const std::vector<std::string> texts = format_apart({a, b});
    const Duration lost = b >= std::chrono::hours(1) ? ms(1000) : ms(1);
    RC_ASSERT(texts[0] != texts[1] || b - a < lost);
    if (format_duration(a) != format_duration(b)) {
      RC_ASSERT(texts == (std::vector{format_duration(a), format_duration(b)}));
    } else {
      for (std::size_t i = 0; i < 2; ++i) {
        const Duration back = parse_duration(texts[i]), meant = i == 0 ? a : b;
        RC_ASSERT(back <= meant && meant - back < ms(60'000));
      }
    }
  });
}

}  // namespace
}  // namespace wavewright
