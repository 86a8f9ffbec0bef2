// Property tests: a property holds for every case that rapidcheck makes up, or the test fails with the
// smallest case for which it does not.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

namespace wavewright {

// Under the sanitizers, which are slower by more, a property of many cases makes do with a quarter of them.
[[nodiscard]] constexpr int sized(int cases) {
#if defined(__SANITIZE_ADDRESS__)
  return cases >= 100 ? cases / 4 : cases;
#else
  return cases;
#endif
}

// So many of a rare thing are asked for in cases that sized() may make fewer.
[[nodiscard]] constexpr int rare(int count) {
#if defined(__SANITIZE_ADDRESS__)
  return count / 8;
#else
  return count;
#endif
}

template <class Property>
void holds_always(Property property, int cases = 100) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = sized(cases);
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << text.str();
}

}  // namespace wavewright
