// The few pieces of SVG that the charts are made of. Charts use a view box 1000 units wide that is
// stretched to the page (so lines and dots must not scale with it) and as many units high as CSS pixels.
#pragma once

#include <string>
#include <string_view>

namespace wavewright::report {

inline constexpr double chart_width = 1000;

// Shortest text of `value` with at most two decimals: `12`, `0.5`, `3.14`.
[[nodiscard]] std::string number(double value);

// An opened, stretched <svg> with title and description for those who cannot see it; close with `</svg>`.
[[nodiscard]] std::string open_chart(double height, std::string_view title, std::string_view description);

// Path data, relative where shorter.
class Path {
 public:
  Path& rectangle(double x, double y, double width, double height);
  Path& line(double x1, double y1, double x2, double y2);
  Path& move(double x, double y);
  Path& to(double x, double y);
  Path& close();
  // A dot of the stroke's width when drawn with round caps, whatever the stretch.
  Path& dot(double x, double y);

  [[nodiscard]] bool empty() const { return data_.empty(); }
  // `attributes` as they stand in the element: `class="grid"`.
  [[nodiscard]] std::string element(std::string_view attributes) const;

 private:
  std::string data_;
};

}  // namespace wavewright::report
