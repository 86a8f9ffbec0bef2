// The largest value of a concave function of prices: a sum of parts, each the least of linear functions, less
// the prices' limits. A disaggregated proximal bundle method [Lemaréchal 1975; Frangioni 2002]: of each part
// it keeps the functions seen, and looks next where they promise the most, not far from the best prices yet.
//
//   Σ over parts (least over functions (value + Σ use · price)) − Σ limit · price,  no price negative
//
// The functions' shares are near those of the best mean of what they stand for.
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
    std::vector<Use> uses;     // each price once
    double maps = 0, all = 0;  // the ends it stands for
    double share = 0;          // of its part: 1 in all
    std::size_t unused = 0;    // rounds since it had a share
  };

  static constexpr std::size_t most_functions = 14, most_sweeps = 20;  // of a part; at once

  explicit Bundle(std::size_t parts) : parts_(parts) {}

  // From these prices on, with nothing seen. `most` is no less than the largest value that matters.
  void begin(std::span<const double> prices, std::span<const double> limits, double most);
  // The function's value at the prices looked at, and which of each part's functions is the least there; one
  // without uses is not kept. O(functions · uses).
  void see(double value, std::vector<Linear> least);
  // Forgets what is no longer so, of one part.
  template <typename Gone>
  void forget(std::size_t part, Gone gone) {
    std::erase_if(parts_[part], gone);
    even_out(part);
  }
  // Where to look next. O(20 sweeps · functions · uses).
  [[nodiscard]] std::span<const double> next();

  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] std::span<const double> best_prices() const { return centre_; }
  // By how much the next look may rise above the best; and whether there is nothing to rise to.
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
