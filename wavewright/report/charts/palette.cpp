#include "wavewright/report/charts/palette.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace wavewright::report {

namespace {

struct Rgb {
  int red, green, blue;
};

constexpr std::array<const char*, distinct_jobs> light = {"#4a6fb5", "#cc6677", "#3d9a8b", "#d9b44a",
                                                          "#6b4c9a", "#7fbfe0", "#1f7a4d", "#a8486f",
                                                          "#9a9a3c", "#8a909c"};
constexpr std::array<const char*, distinct_jobs> dark = {"#6f95e0", "#dd7f8e", "#4bb3a2", "#dcbc5c",
                                                         "#9a7fd0", "#88ccee", "#3fa06f", "#c9648f",
                                                         "#b3b352", "#8f96a3"};

// Stops of the scale, dark to light; lightness increases evenly.
constexpr std::array<Rgb, 8> stops = {{{16, 63, 96},
                                       {28, 84, 96},
                                       {60, 109, 86},
                                       {104, 123, 62},
                                       {157, 137, 43},
                                       {210, 147, 67},
                                       {248, 161, 123},
                                       {253, 183, 188}}};

Rgb blend(const Rgb& a, const Rgb& b, double share) {
  const auto mix = [&](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

Rgb scale_colour(double position) {
  const double at = position * (stops.size() - 1);
  const auto left = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  return blend(stops[left], stops[left + 1], at - static_cast<double>(left));
}

std::string scale_css(bool for_dark) {
  std::string css;
  for (std::size_t step = 0; step < scale_steps; ++step) {
    Rgb colour = scale_colour(static_cast<double>(step) / (scale_steps - 1));
    if (for_dark) colour = blend(colour, {255, 255, 255}, 0.14);
    css += fmt::format(".s{}{{--job:#{:02x}{:02x}{:02x}}}", step, colour.red, colour.green, colour.blue);
  }
  return css;
}

std::string distinct_css(const std::array<const char*, distinct_jobs>& colours) {
  std::string css;
  for (std::size_t i = 0; i < colours.size(); ++i) css += fmt::format(".c{}{{--job:{}}}", i, colours[i]);
  return css;
}

}  // namespace

std::string job_class(std::size_t job, std::size_t jobs) {
  if (jobs <= distinct_jobs) return fmt::format("c{}", job);
  return fmt::format("s{}", job * (scale_steps - 1) / (jobs - 1));
}

std::string palette_css() {
  return distinct_css(light) + scale_css(false) + "@media(prefers-color-scheme:dark){" + distinct_css(dark) +
         scale_css(true) + "}";
}

}  // namespace wavewright::report
