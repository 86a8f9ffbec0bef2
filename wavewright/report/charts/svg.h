// The SVG elements of the charts. The view box is 1000 units wide and stretched to the page, so lines and
// dots must not scale with it. Its height is in CSS pixels.
#pragma once

#include <string>
#include <string_view>

namespace wavewright::report {

inline constexpr double chart_width = 1000;

// The shortest text with at most two decimals: `12`, `0.5`, `3.14`.
[[nodiscard]] std::string number(double value);

// Opens a stretched <svg> with title and description for screen readers; close it with `</svg>`.
[[nodiscard]] std::string open_chart(double height, std::string_view title, std::string_view description);

// Path data; relative commands if shorter.
class Path {
 public:
  Path& rectangle(double x, double y, double width, double height);
  Path& line(double x1, double y1, double x2, double y2);
  Path& move(double x, double y);
  Path& to(double x, double y);
  Path& close();
  // A dot as wide as the stroke when drawn with round caps, whatever the stretch.
  Path& dot(double x, double y);

  [[nodiscard]] bool empty() const { return data_.empty(); }
  // `attributes` as in the element: `class="grid"`.
  [[nodiscard]] std::string element(std::string_view attributes) const;

 private:
  std::string data_;
};

}  // namespace wavewright::report
