#include "wavewright/report/text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wavewright::report {

namespace {

constexpr std::string_view minus = "\u2212";
constexpr std::string_view percent_sign = "\u202F%";  // after a narrow space that does not break

// One decimal below 10 %, none above.
std::string magnitude(double ratio) {
  const double percent = std::abs(ratio) * 100;
  return percent < 9.95 ? fmt::format("{:.1f}{}", percent, percent_sign)
                        : fmt::format("{:.0f}{}", percent, percent_sign);
}

}  // namespace

std::string duration_text(Duration duration) {
  return duration == Duration{} ? "0" : format_duration(duration);
}

std::string change_text(Duration change) {
  if (change == Duration{}) return "0";
  const bool sooner = change < Duration{};
  return fmt::format("{}{}", sooner ? minus : "+", format_duration(sooner ? -change : change));
}

std::string mean_count_text(double mean) {
  return mean == std::floor(mean) ? fmt::format("{:.0f}", mean) : fmt::format("{:.1f}", mean);
}

std::string percent_text(double ratio) {
  return fmt::format("{}{}", ratio < 0 ? minus : "", magnitude(ratio));
}

std::string probability_text(double share) {
  if (share <= 0 || share >= 1) return fmt::format("{}{}", share <= 0 ? 0 : 100, percent_sign);
  return fmt::format("{:.1f}{}", std::clamp(share * 100, 0.1, 99.9), percent_sign);
}

std::string percent_above_text(double ratio) {
  const double steps = std::abs(ratio) < 0.0995 ? 1000 : 100;
  return percent_text(std::ceil(ratio * steps - 1e-9) / steps);
}

std::string percent_change_text(double ratio) {
  if (std::abs(ratio) < 0.0005) return fmt::format("0{}", percent_sign);
  return fmt::format("{}{}", ratio < 0 ? minus : "+", magnitude(ratio));
}

std::string count_text(Count count) {
  std::string digits = fmt::format("{}", count < 0 ? -count : count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return fmt::format("{}{}", count < 0 ? minus : "", digits);
}

std::string counted(Count count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string list_counts(const std::vector<std::pair<Count, std::string_view>>& counts) {
  std::string text;
  for (const auto& [count, what] : counts) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_text(count), what);
  }
  return text;
}

std::string decimal_text(double value) {
  if (!(std::abs(value) < 1e18)) return fmt::format("{:.3g}", value);  // also infinity, and no number
  if (std::abs(value) >= 999.5) return count_text(std::llround(value));
  std::string text = fmt::format("{:.3g}", value);
  // Readers do not expect powers of ten for values below a ten-thousandth.
  if (text.find('e') != std::string::npos) text = fmt::format("{:.6f}", value);
  return text;
}

std::string energy_text(double joules) {
  return fmt::format("{} kWh", decimal_text(joules / joules_per_kwh));
}

std::string money_text(double usd) {
  return fmt::format("{} USD", decimal_text(usd));
}

std::string capitalised(std::string_view text) {
  std::string result(text);
  if (!result.empty() && result.front() >= 'a' && result.front() <= 'z') {
    result.front() = static_cast<char>(result.front() - 'a' + 'A');
  }
  return result;
}

double relative(Duration value, Duration base) {
  if (base == Duration{}) return 0;
  return static_cast<double>((value - base).count()) / static_cast<double>(base.count());
}

}  // namespace wavewright::report
