#include "wavewright/core/linear_program.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace wavewright {

namespace {

// Rows have a basic variable each, columns a variable that is 0. Numbers up to the count of variables are x;
// those behind are what is left of the limits.
class Tableau {
 public:
  explicit Tableau(const LinearProgram& program)
      : columns_(program.gain.size()), width_(columns_ + 1), gains_(program.gain) {
    gains_.push_back(0);
    double largest = 0;
    for (const LinearProgram::Row& row : program.rows) {
      if (row.weights.size() != columns_ || !(row.limit >= 0))
        throw std::invalid_argument("a row with a limit below 0, or with too few weights or too many");
      largest = std::max(largest, row.limit);
    }
    constexpr double little = 1e-9;
    const double unit = little * std::max(largest, 1e-30) / static_cast<double>(program.rows.size() + 1);
    for (std::size_t i = 0; i < program.rows.size(); ++i) {
      cells_.insert(cells_.end(), program.rows[i].weights.begin(), program.rows[i].weights.end());
      cells_.push_back(program.rows[i].limit + unit * static_cast<double>(i + 1));
      basic_.push_back(columns_ + i);
    }
    for (std::size_t i = 0; i < columns_; ++i) free_.push_back(i);
  }

  [[nodiscard]] bool solve(std::size_t most_steps) {
    for (std::size_t step = 0; step < most_steps; ++step) {
      const std::size_t column = entering();
      if (column == columns_) return true;
      const std::size_t row = leaving(column);
      if (row == basic_.size()) return false;  // without limit
      exchange(row, column);
    }
    return false;
  }

  [[nodiscard]] std::vector<double> solution() const {
    std::vector<double> values(columns_, 0);
    for (std::size_t row = 0; row < basic_.size(); ++row) {
      if (basic_[row] < columns_) values[basic_[row]] = std::max(0.0, at(row, columns_));
    }
    return values;
  }

 private:
  [[nodiscard]] double& at(std::size_t row, std::size_t column) { return cells_[row * width_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return cells_[row * width_ + column]; }

  // The column with the highest gain; none above 0 = the number of columns.
  [[nodiscard]] std::size_t entering() const {
    constexpr double none = 1e-11;
    std::size_t best = columns_;
    for (std::size_t i = 0; i < columns_; ++i) {
      if (gains_[i] > (best == columns_ ? none : gains_[best])) best = i;
    }
    return best;
  }
  // The row that comes to its limit first.
  [[nodiscard]] std::size_t leaving(std::size_t column) const {
    constexpr double none = 1e-11;
    std::size_t first = basic_.size();
    double least = 0;
    for (std::size_t row = 0; row < basic_.size(); ++row) {
      const double weight = at(row, column);
      if (weight <= none) continue;
      const double ratio = at(row, columns_) / weight;
      if (first != basic_.size() && ratio >= least) continue;
      first = row;
      least = ratio;
    }
    return first;
  }
  void exchange(std::size_t row, std::size_t column) {
    double* const pivots = &at(row, 0);
    const double pivot = pivots[column];
    pivots[column] = 1;
    for (std::size_t i = 0; i < width_; ++i) pivots[i] /= pivot;
    for (std::size_t other = 0; other < basic_.size(); ++other) {
      if (other != row) subtract(&at(other, 0), pivots, column);
    }
    subtract(gains_.data(), pivots, column);
    std::swap(basic_[row], free_[column]);
  }
  void subtract(double* from, const double* pivots, std::size_t column) const {
    const double factor = from[column];
    if (factor == 0) return;
    from[column] = 0;
    for (std::size_t i = 0; i < width_; ++i) from[i] -= factor * pivots[i];
  }

  std::size_t columns_, width_;
  std::vector<double> gains_, cells_;  // the last column: what is gained so far (negative), and the limits
  std::vector<std::size_t> basic_, free_;
};

}  // namespace

std::optional<std::vector<double>> maximise(const LinearProgram& program, std::size_t most_steps) {
  Tableau tableau(program);
  if (!tableau.solve(most_steps)) return std::nullopt;
  return tableau.solution();
}

}  // namespace wavewright
