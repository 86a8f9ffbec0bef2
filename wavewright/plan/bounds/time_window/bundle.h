// Maximises a concave, piecewise linear function of non-negative prices by a disaggregated proximal bundle
// method [Lemaréchal 1975; Frangioni 2002]:
//
//   Σ over parts (least over functions (value + Σ use · price)) − Σ limit · price
//
// It keeps linear functions of each part. The next prices promise the largest value near the best prices so
// far. The functions' shares approximate the best convex combination of the solutions behind them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wavewright {

class Bundle {
 public:
  struct Use {
    std::uint32_t price = 0;
    double use = 0;
  };
  struct Linear {
    double value = 0;
    std::vector<Use> uses;     // at most one for each price
    double maps = 0, all = 0;  // the solution: end of the job's maps, end of the job
    double share = 0;          // the shares of a part add up to 1
    std::size_t unused = 0;    // rounds without a share
  };

  static constexpr std::size_t most_functions = 14,  // of a part
      most_sweeps = 20;                              // of a call of next()

  explicit Bundle(std::size_t parts) : parts_(parts) {}

  // Starts from these prices, with no functions. Values above `most` do not matter.
  void begin(std::span<const double> prices, std::span<const double> limits, double most);
  // Takes the value at the last prices, and the least linear function of each part there. Duplicates are not
  // kept; a full part drops the function that had no share for longest. O(functions · uses).
  void see(double value, std::vector<Linear> least);
  // Removes functions of one part that are no longer valid.
  template <typename Gone>
  void forget(std::size_t part, Gone gone) {
    std::erase_if(parts_[part], gone);
    even_out(part);
  }
  // The next prices. O(20 sweeps · functions · uses).
  [[nodiscard]] std::span<const double> next();

  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] std::span<const double> best_prices() const { return centre_; }
  // promise: the most by which the next value can exceed the best one. done: no higher value is expected.
  [[nodiscard]] double promise() const { return promise_; }
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] const std::vector<Linear>& functions(std::size_t part) const { return parts_[part]; }

 private:
  void even_out(std::size_t part);
  void balance(std::size_t part);
  [[nodiscard]] double at(const Linear& function) const;
  void shift(const Linear& function, double by);

  std::vector<std::vector<Linear>> parts_;
  std::vector<double> limits_, centre_, looked_, direction_;
  double most_ = 0, best_ = 0, step_ = 0, promise_ = 0, unbalanced_ = 0;
  std::size_t failures_ = 0, hesitations_ = 0;
  bool begun_ = false, done_ = false;
};

}  // namespace wavewright
