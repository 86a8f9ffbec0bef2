#include "wavewright/report/charts/svg.h"

#include <cmath>

#include <fmt/format.h>

#include "wavewright/report/page/html.h"

namespace wavewright::report {

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string open_chart(double height, std::string_view title, std::string_view description) {
  return fmt::format(
      R"(<svg viewBox="0 0 {} {}" preserveAspectRatio="none" style="height:{}px" role="img"><title>{}</title><desc>{}</desc>)",
      number(chart_width), number(height), number(height), escape(title), escape(description));
}

Path& Path::rectangle(double x, double y, double width, double height) {
  data_ +=
      fmt::format("M{} {}h{}v{}h-{}z", number(x), number(y), number(width), number(height), number(width));
  return *this;
}

Path& Path::line(double x1, double y1, double x2, double y2) {
  return move(x1, y1).to(x2, y2);
}

Path& Path::move(double x, double y) {
  data_ += fmt::format("M{} {}", number(x), number(y));
  return *this;
}

Path& Path::to(double x, double y) {
  data_ += fmt::format("L{} {}", number(x), number(y));
  return *this;
}

Path& Path::close() {
  data_ += 'z';
  return *this;
}

Path& Path::dot(double x, double y) {
  data_ += fmt::format("M{} {}h0", number(x), number(y));
  return *this;
}

std::string Path::element(std::string_view attributes) const {
  return fmt::format(R"(<path {} d="{}"/>)", attributes, data_);
}

}  // namespace wavewright::report
