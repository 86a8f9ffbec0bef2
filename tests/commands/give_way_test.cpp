// Long work gives way to the thread that asks for it.
#include "apps/give_way.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace wavewright {
namespace {

TEST(GiveWay, TheWorkAndNotWhoAsksForIt) {
  const int own = nice_value();
  constexpr int highest = 19;
  EXPECT_EQ(app::giving_way(nice_value), std::min(highest, own + app::long_work_gives_way));
  EXPECT_EQ(nice_value(), own);
}

TEST(GiveWay, LongWorkOfARequestGivesWayToRequestsToo) {
  std::thread([] {
    const int own = nice_value();
    app::give_way(app::requests_give_way);
    EXPECT_EQ(nice_value(), std::min(19, own + app::requests_give_way));
    EXPECT_EQ(app::giving_way(nice_value),
              std::min(19, own + app::requests_give_way + app::long_work_gives_way));
  }).join();
}

TEST(GiveWay, WhatTheWorkThrowsIsThrown) {
  const auto work = []() -> int { throw std::runtime_error("no room"); };
  EXPECT_THROW((void)app::giving_way(work), std::runtime_error);
}

}  // namespace
}  // namespace wavewright
