#include "wavewright/job/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/parameters.h"

namespace wavewright {

namespace {

struct Form {
  std::string_view name;
  Distribution::Shape shape;
  std::size_t parameters;
};

constexpr std::array forms = {
    Form{"const", Distribution::Shape::constant, 1},
    Form{"uniform", Distribution::Shape::uniform, 2},
    Form{"normal", Distribution::Shape::normal, 2},
    Form{"lognormal", Distribution::Shape::lognormal, 2},
};

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw UsageError(fmt::format("'{}' is not a distribution: {}", text.substr(0, 80), why),
                   "write it like const(5000), uniform(10,90), normal(154,558) or lognormal(9.95,1.68)");
}

double finite(std::string_view whole, const std::string& text) {
  const std::optional<double> value = finite_number(text);
  if (!value) refuse(whole, "a parameter is not a finite number");
  return *value;
}

void check_parameters(std::string_view text, const Distribution& d) {
  const double longest = static_cast<double>(to_ms(longest_duration));
  switch (d.shape) {
    case Distribution::Shape::constant:
      if (d.first < 0 || d.first > longest) refuse(text, "the value must be from 0 to 2^48 ms");
      break;
    case Distribution::Shape::uniform:
      if (!(0 <= d.first && d.first <= d.second && d.second > 0 && d.second <= longest)) {
        refuse(text, "it needs 0 <= a <= b and b from above 0 to 2^48 ms");
      }
      break;
    case Distribution::Shape::normal:
      if (d.second < 0) refuse(text, "the deviation is negative");
      // Limits the redraws: at −3 deviations one draw in 740 is positive.
      if (d.first + 3 * d.second <= 0) refuse(text, "it is hardly ever positive");
      break;
    case Distribution::Shape::lognormal:
      if (d.second < 0) refuse(text, "the deviation is negative");
      break;
  }
}

Duration to_duration(double value, const Distribution& distribution) {
  if (!(value <= static_cast<double>(to_ms(longest_duration)))) {
    throw UsageError(fmt::format("{} draws durations beyond 2^48 ms", to_string(distribution)),
                     "its parameters are for milliseconds; lognormal's are logarithms");
  }
  const std::int64_t least = distribution.shape == Distribution::Shape::constant ? 0 : 1;
  return ms(std::max<std::int64_t>(least, std::llround(value)));
}

}  // namespace

Distribution parse_distribution(std::string_view text) {
  if (text.find('(') == std::string_view::npos || !text.ends_with(')')) refuse(text, "no '(…)'");
  const Spec spec = [&] {
    try {
      return parse_spec(text);
    } catch (const UsageError&) {
      refuse(text, "parameters are separated by one comma");
    }
  }();
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const Form& each) { return each.name == spec.name; });
  if (form == forms.end()) {
    std::vector<std::string> names;
    names.reserve(forms.size());
    for (const Form& each : forms) names.emplace_back(each.name);
    refuse(text, "unknown name; " + suggestion(spec.name, names));
  }
  if (!spec.parameters.empty() || spec.positional.size() != form->parameters) {
    refuse(text, fmt::format("{} takes {} parameter{}", form->name, form->parameters,
                             form->parameters == 1 ? "" : "s"));
  }
  const Distribution distribution{form->shape, finite(text, spec.positional[0]),
                                  form->parameters > 1 ? finite(text, spec.positional[1]) : 0};
  check_parameters(text, distribution);
  return distribution;
}

std::string to_string(const Distribution& distribution) {
  for (const Form& form : forms) {
    if (form.shape != distribution.shape) continue;
    return form.parameters == 1
               ? fmt::format("{}({})", form.name, distribution.first)
               : fmt::format("{}({},{})", form.name, distribution.first, distribution.second);
  }
  throw InternalError("a distribution without a name");
}

double draw_positive(const Distribution& distribution, Random& random) {
  for (;;) {
    double value = distribution.first;
    switch (distribution.shape) {
      case Distribution::Shape::constant:
        return value;
      case Distribution::Shape::uniform:
        value = random.uniform(distribution.first, distribution.second);
        break;
      case Distribution::Shape::normal:
        value = random.normal(distribution.first, distribution.second);
        break;
      case Distribution::Shape::lognormal:
        // exp() is never negative; a result that underflows to 0 is not redrawn.
        return random.lognormal(distribution.first, distribution.second);
    }
    if (value > 0) return value;
  }
}

Duration draw(const Distribution& distribution, Random& random) {
  return to_duration(draw_positive(distribution, random), distribution);
}

std::vector<Duration> draw(const Distribution& distribution, Count count, Random& random) {
  std::vector<Duration> durations(static_cast<std::size_t>(count));
  for (Duration& duration : durations) duration = draw(distribution, random);
  return durations;
}

std::vector<Duration> draw(const DurationRange& range, Count count, Random& random) {
  const bool ordered = 0 <= range.min && range.min <= range.mean && range.mean <= range.max;
  if (!ordered || range.max > static_cast<double>(to_ms(longest_duration))) {
    throw UsageError(
        fmt::format("profile min {}, avg {}, max {} is not in order", range.min, range.mean, range.max),
        "give 0 <= min <= avg <= max, in milliseconds");
  }
  std::vector<Duration> durations(static_cast<std::size_t>(count));
  const double width = range.max - range.min;
  const double share = width > 0 ? (range.mean - range.min) / width : 0;
  for (Duration& duration : durations) {
    double value = range.mean;
    if (share > 0 && share < 1) value = range.min + width * random.beta(6 * share, 6 * (1 - share));
    duration = ms(std::max<std::int64_t>(1, std::llround(value)));
  }
  return durations;
}

}  // namespace wavewright
