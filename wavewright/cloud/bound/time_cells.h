// Time cut into cells, and what machines for rent cost in each: the constraints of the bound on cost.
//
// A machine of a row for rent does speed · map_slots of map work and speed · reduce_slots of reduce work in a
// ms. Worths of work, constant within each cell, make a machine's time worth something. They are fair if no
// lease is worth more than its bill. It is enough that
//   per second        no instant is worth more than the lowest price at that instant
//   per started hour  no hour that begins in a cell is worth more than the lowest price in that cell
// where the lowest price is that on demand or the spot price, whichever is less: a bid may be any amount.
// Hours that a revocation may leave unpaid are worth nothing: those before a rise of the spot price, back to
// the last time at which it was as high, or for an hour.
#pragma once

#include <vector>

#include "wavewright/cluster/cluster.h"

namespace wavewright {

// Cells from instant to instant, in ms, and one more behind them without an end.
struct TimeCells {
  std::vector<double> edges;  // ascending, from 0; one more than there are cells with an end

  [[nodiscard]] std::size_t finite() const { return edges.size() - 1; }
  [[nodiscard]] std::size_t count() const { return edges.size(); }
  [[nodiscard]] double length(std::size_t cell) const { return edges[cell + 1] - edges[cell]; }
  [[nodiscard]] std::size_t at(double instant) const;  // O(log cells)
};

// Cells up to the last of `instants`: few of equal length, cut at the instants and where the prices of
// machines for rent change; or many of equal length where these are too many for that. At most about 2,500.
[[nodiscard]] TimeCells cells_at(std::vector<double> instants, const Cluster& cluster);

// Worth of a ms of map and of reduce work in each cell, in micro-USD.
struct Worths {
  std::vector<double> map, reduce;
};

class FairWorths {
 public:
  // The cells must outlive it. O(rows · (cells + prices)).
  FairWorths(const TimeCells& cells, const Cluster& cluster);

  // Scales worths down, each where it has to be, until they are fair. O(rows · cells).
  void mend(Worths& worths) const;
  // Worths that only `mend` limits: a share of each cell's lowest price for maps, the rest for reduces.
  [[nodiscard]] Worths start(double share_of_maps) const;
  // Slots times speed of the machine with the most; 0 if no machine for rent has such slots.
  [[nodiscard]] double map_rate() const { return map_rate_; }
  [[nodiscard]] double reduce_rate() const { return reduce_rate_; }

 private:
  struct Offer {
    double map_rate = 0, reduce_rate = 0;
    bool hourly = false;
    std::vector<double> price;  // by cell, micro-USD: of an hour that begins there, or of a ms
    std::vector<bool> worthless;
  };
  [[nodiscard]] Offer offer_of(const NodeGroup& group) const;
  void add_unpaid(const NodeGroup& group, Offer& offer) const;
  void strike(Offer& offer, double from, double to) const;
  void excess(const Offer& offer, const Worths& worths, std::vector<double>& most) const;
  void excess_of_hours(const Offer& offer, const std::vector<double>& worth, std::vector<double>& most) const;

  const TimeCells& cells_;
  std::vector<Offer> offers_;
  double map_rate_ = 0, reduce_rate_ = 0;
};

}  // namespace wavewright
