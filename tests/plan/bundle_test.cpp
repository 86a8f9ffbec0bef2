// The bundle method beside a scan of every price on a grid.
#include "wavewright/plan/bounds/time_window/bundle.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/property.h"

namespace wavewright {
namespace {

using rc::gen::inRange;

// Parts by their functions; uses and limits in eighths, so that a limit is reached by some function alone.
struct Concave {
  std::vector<std::vector<Bundle::Linear>> parts;
  std::vector<double> limits;

  [[nodiscard]] double at(std::span<const double> prices,
                          std::vector<Bundle::Linear>* least = nullptr) const {
    double sum = 0;
    for (std::size_t price = 0; price < limits.size(); ++price) sum -= limits[price] * prices[price];
    for (const auto& part : parts) {
      const auto cost = [&](const Bundle::Linear& function) {
        double value = function.value;
        for (const Bundle::Use use : function.uses) value += prices[use.price] * use.use;
        return value;
      };
      const auto best = std::min_element(part.begin(), part.end(),
                                         [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
      sum += cost(*best);
      if (least) least->push_back(*best);
    }
    return sum;
  }
};

// The last function of each part uses nothing and costs the most: no value is higher than their sum.
Concave some_function() {
  Concave function;
  const auto prices = static_cast<std::uint32_t>(*inRange(1, 3));
  for (std::uint32_t price = 0; price < prices; ++price) function.limits.push_back(*inRange(1, 9) / 8.0);
  for (int part = *inRange(1, 4); part > 0; --part) {
    function.parts.emplace_back();
    for (int i = *inRange(1, 5); i > 0; --i) {
      Bundle::Linear linear;
      linear.value = *inRange(0, 20);
      linear.all = i;
      for (std::uint32_t price = 0; price < prices; ++price) {
        if (const int use = *inRange(0, 9); use > 0) linear.uses.push_back({price, use / 8.0});
      }
      function.parts.back().push_back(linear);
    }
    Bundle::Linear free;
    free.value = 20;
    function.parts.back().push_back(free);
  }
  return function;
}

// It may stop early: in about one of 20,000 of these worlds it ends more than 1 % of the range too low.
TEST(Bundle, ReachesWhatAScanOfAllPricesFinds) {
  int risen = 0, short_of_it = 0;
  holds_always(
      [&] {
        const Concave function = some_function();
        const double most = 20.0 * static_cast<double>(function.parts.size());
        // Every bend lies at a price of 160 or less: 20 over the least use, an eighth.
        double scanned = -1e9;
        std::vector<double> prices(function.limits.size());
        const int second = prices.size() > 1 ? 320 : 0;
        for (int i = 0; i <= 320; ++i) {
          prices[0] = i / 2.0;
          for (int j = 0; j <= second; ++j) {
            if (second > 0) prices[1] = j / 2.0;
            scanned = std::max(scanned, function.at(prices));
          }
        }
        Bundle bundle(function.parts.size());
        std::vector<double> at(function.limits.size());
        const double first = function.at(at);
        bundle.begin(at, function.limits, most);
        for (int round = 0; round < 200 && !bundle.done(); ++round) {
          std::vector<Bundle::Linear> least;
          const double value = function.at(at, &least);
          bundle.see(value, std::move(least));
          RC_ASSERT(bundle.best() >= value - 1e-6);
          for (std::size_t part = 0; part < function.parts.size(); ++part) {
            double shares = 0;
            for (const Bundle::Linear& each : bundle.functions(part)) shares += each.share;
            RC_ASSERT(std::abs(shares - 1) < 1e-6);
          }
          const auto next = bundle.next();
          at.assign(next.begin(), next.end());
        }
        RC_ASSERT(std::abs(function.at(bundle.best_prices()) - bundle.best()) < 1e-9);
        short_of_it += bundle.best() < scanned - 0.01 * most ? 1 : 0;
        risen += bundle.best() > first + 1 ? 1 : 0;
      },
      500);
  EXPECT_GT(risen, 10);
  EXPECT_LE(short_of_it, 2);
}

}  // namespace
}  // namespace wavewright
