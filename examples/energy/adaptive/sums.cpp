#include "sums.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace adaptive {

namespace {

constexpr double millionths = 1e6;

struct Sums {
  std::string key;
  std::vector<std::int64_t> columns;  // millionths
};

std::int64_t read_number(const std::string& word, const std::string& line) {
  std::size_t end = 0;
  double value = 0;
  try {
    value = std::stod(word, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  constexpr double most = 1e9;
  if (end != word.size() || !(std::abs(value) <= most))
    throw std::invalid_argument("no sums: '" + line + "'");
  return std::llround(value * millionths);
}

Sums read_sums(const std::string& line) {
  Sums sums;
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos || tab == 0) throw std::invalid_argument("no sums: '" + line + "'");
  sums.key = line.substr(0, tab);
  std::istringstream words(line.substr(tab + 1));
  for (std::string word; words >> word;) sums.columns.push_back(read_number(word, line));
  if (sums.columns.empty()) throw std::invalid_argument("no sums: '" + line + "'");
  return sums;
}

void write_sums(const Sums& sums, std::ostream& out) {
  out << sums.key << '\t' << std::llround(static_cast<double>(sums.columns.front()) / millionths);
  for (std::size_t i = 1; i < sums.columns.size(); ++i) {
    char text[40];
    std::snprintf(text, sizeof text, " %.6f", static_cast<double>(sums.columns[i]) / millionths);
    out << text;
  }
  out << '\n';
}

}  // namespace

void add_up(std::istream& in, std::ostream& out) {
  std::optional<Sums> open;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    const Sums next = read_sums(line);
    if (open && open->key != next.key) {
      write_sums(*open, out);
      open.reset();
    }
    if (!open) {
      open = next;
      continue;
    }
    if (next.columns.size() != open->columns.size())
      throw std::invalid_argument("other columns than before: '" + line + "'");
    for (std::size_t i = 0; i < next.columns.size(); ++i) open->columns[i] += next.columns[i];
  }
  if (open) write_sums(*open, out);
}

}  // namespace adaptive
