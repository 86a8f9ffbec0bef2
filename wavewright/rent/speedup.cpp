#include "wavewright/rent/speedup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/spec.h"

namespace wavewright {

namespace {

constexpr std::array<const char*, 4> form_names = {"alpha", "amdahl", "power", "table"};
constexpr const char* forms_to_write =
    "write alpha(0.9), amdahl(0.95), power(0.8), linear or table(1=1, 2=1.9)";

double on_line(const SpeedupPoint& a, const SpeedupPoint& b, double machines) {
  const double x0 = static_cast<double>(a.machines);
  const double part = (machines - x0) / (static_cast<double>(b.machines) - x0);
  return a.speedup + part * (b.speedup - a.speedup);
}

double in_table(const std::vector<SpeedupPoint>& points, Count machines) {
  const auto above = std::ranges::lower_bound(points, machines, {}, &SpeedupPoint::machines);
  if (above == points.end()) return points.back().speedup;
  const auto m = static_cast<double>(machines);
  if (above == points.begin()) return on_line({0, 0}, *above, m);
  return on_line(*(above - 1), *above, m);
}

double positive(const std::string& text, std::string_view whole, double most) {
  const std::optional<double> number = finite_number(text);
  if (!number || !(*number > 0) || *number > most) {
    throw UsageError(fmt::format("speed-up '{}': '{}' is not a number above 0{}", shortened(whole),
                                 shortened(text), most < 2 ? " and at most 1" : ""),
                     forms_to_write);
  }
  return *number;
}

SpeedupPoint point_of(const std::string& key, const std::string& value, std::string_view whole) {
  SpeedupPoint point;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), point.machines);
  if (error != std::errc{} || end != key.data() + key.size() || point.machines < 1 ||
      point.machines > Speeds::most_machines) {
    throw UsageError(
        fmt::format("speed-up '{}': '{}' is not a number of machines", shortened(whole), shortened(key)),
        forms_to_write);
  }
  point.speedup = positive(value, whole, HUGE_VAL);
  return point;
}

SpeedupCurve table_of(const Spec& spec, std::string_view whole) {
  SpeedupCurve curve;
  curve.form = SpeedupForm::table;
  for (const auto& [key, value] : spec.parameters) curve.points.push_back(point_of(key, value, whole));
  std::ranges::sort(curve.points, {}, &SpeedupPoint::machines);
  const auto twice = std::ranges::adjacent_find(curve.points, {}, &SpeedupPoint::machines);
  if (twice != curve.points.end()) {
    throw UsageError(fmt::format("speed-up '{}' has {} machines twice", shortened(whole), twice->machines),
                     "give each number of machines once");
  }
  if (curve.points.empty() || !spec.positional.empty()) {
    throw UsageError(fmt::format("speed-up '{}' is not a table of machines and speeds", shortened(whole)),
                     forms_to_write);
  }
  return curve;
}

}  // namespace

std::string to_string(SpeedupForm form) {
  return form_names.at(static_cast<std::size_t>(form));
}

double SpeedupCurve::at(Count machines) const {
  const auto m = static_cast<double>(machines);
  switch (form) {
    case SpeedupForm::alpha:
      return k * m * std::pow(parameter, m - 1);
    case SpeedupForm::amdahl:
      return k / ((1 - parameter) + parameter / m);
    case SpeedupForm::power:
      return k * std::pow(m, parameter);
    case SpeedupForm::table:
      break;
  }
  return in_table(points, machines);
}

SpeedupCurve alpha_curve(double alpha, double k) {
  return {.form = SpeedupForm::alpha, .k = k, .parameter = alpha, .points = {}};
}

SpeedupCurve parse_speedup(std::string_view text) {
  const Spec spec = parse_spec(text);
  if (spec.name == "linear" && spec.positional.empty() && spec.parameters.empty()) return alpha_curve(1);
  const auto* const name = std::ranges::find(form_names, spec.name);
  if (name == form_names.end()) {
    const std::vector<std::string> words = {"alpha", "amdahl", "power", "linear", "table"};
    throw UsageError(fmt::format("unknown speed-up '{}'", shortened(text)), suggestion(spec.name, words));
  }
  const auto form = static_cast<SpeedupForm>(name - form_names.begin());
  if (form == SpeedupForm::table) return table_of(spec, text);
  if (spec.positional.size() != 1 || !spec.parameters.empty()) {
    throw UsageError(fmt::format("speed-up '{}' needs one number", shortened(text)), forms_to_write);
  }
  const double most = form == SpeedupForm::amdahl ? 1 : HUGE_VAL;
  return {.form = form, .k = 1, .parameter = positive(spec.positional[0], text, most), .points = {}};
}

std::string to_text(const SpeedupCurve& curve) {
  if (curve.form != SpeedupForm::table) {
    return fmt::format("{}({:.4g})", to_string(curve.form), curve.parameter);
  }
  std::string text;
  for (const SpeedupPoint& point : curve.points) {
    text += fmt::format("{}{}={:.4g}", text.empty() ? "" : ", ", point.machines, point.speedup);
  }
  return "table(" + text + ")";
}

Speeds::Speeds(const SpeedupCurve& curve, Count machines) {
  if (machines < 1 || machines > most_machines) {
    throw UsageError(fmt::format("{} machines cannot be rented", machines),
                     fmt::format("give from 1 to {}", most_machines));
  }
  double least_time = HUGE_VAL;
  double most_speed = -1;
  for (Count m = 1; m <= machines; ++m) {
    const double speed = curve.at(m);
    if (!std::isfinite(speed) || speed < 0 || (m == 1 && speed == 0)) {
      throw UsageError(fmt::format("the speed-up {} is no usable number at {} machines", to_text(curve), m),
                       "give fewer machines, or another curve");
    }
    speeds_.push_back(speed);
    fastest_.push_back(speed > most_speed ? m : fastest_.back());
    most_speed = std::max(most_speed, speed);
    const double time = static_cast<double>(m) / speed;
    cheapest_.push_back(time < least_time ? m : cheapest_.back());
    least_time = std::min(least_time, time);
  }
}

}  // namespace wavewright
