// Property tests: a property holds for every case that rapidcheck makes up, or the test fails with the
// smallest case for which it does not.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>
#include <utility>

namespace wavewright {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool under_sanitizers = true;
#else
inline constexpr bool under_sanitizers = false;
#endif

// Under the sanitizers, which are slower by more, a property of many cases makes do with a quarter of them.
[[nodiscard]] constexpr int sized(int cases) {
  return under_sanitizers && cases >= 100 ? cases / 4 : cases;
}

// For cases that take long: so many, or `sanitized` of them under the sanitizers.
[[nodiscard]] constexpr int fewer(int cases, int sanitized) {
  return under_sanitizers ? sanitized : cases;
}

// So many of a rare thing are asked for in cases that sized() may make fewer.
[[nodiscard]] constexpr int rare(int count) {
  return under_sanitizers ? count / 8 : count;
}

template <class Property>
void holds_in(Property property, int cases) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = cases;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << text.str();
}

template <class Property>
void holds_always(Property property, int cases = 100) {
  holds_in(std::move(property), sized(cases));
}

// In fewer() of the cases.
template <class Property>
void holds_always(Property property, int cases, int sanitized) {
  holds_in(std::move(property), fewer(cases, sanitized));
}

}  // namespace wavewright
