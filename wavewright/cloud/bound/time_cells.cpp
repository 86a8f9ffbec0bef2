#include "wavewright/cloud/bound/time_cells.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>

#include "wavewright/core/money.h"

namespace wavewright {

namespace {

constexpr double hour = 3'600'000;
constexpr double without_end = 2 * hour;  // of the last cell, where its length counts

double micro(double usd) {
  return static_cast<double>(from_usd(usd).micro_usd);
}
double in_ms(Time time) {
  return static_cast<double>(to_ms(time));
}

}  // namespace

std::size_t TimeCells::at(double instant) const {
  const auto behind = std::upper_bound(edges.begin(), edges.end(), instant);
  return behind == edges.begin() ? 0 : static_cast<std::size_t>(behind - edges.begin()) - 1;
}

TimeCells cells_at(std::vector<double> instants, const Cluster& cluster) {
  constexpr std::size_t few = 64, many = 512, most_instants = 256, most_changes = 2'000;
  double end = 1;
  for (const double instant : instants) end = std::max(end, instant);
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  TimeCells cells;
  const std::size_t equal = instants.size() > most_instants ? many : few;
  for (std::size_t i = 0; i <= equal; ++i)
    cells.edges.push_back(end * static_cast<double>(i) / static_cast<double>(equal));
  const auto cut_at = [&](const std::vector<double>& more) {
    std::copy_if(more.begin(), more.end(), std::back_inserter(cells.edges),
                 [&](double instant) { return instant > 0 && instant < end; });
  };
  if (instants.size() <= most_instants) cut_at(instants);
  std::vector<double> changes;
  for (const NodeGroup& group : cluster.nodes) {
    for (const SpotPrice& price : group.spot) {
      if (group.rent) changes.push_back(in_ms(price.from));
    }
  }
  if (changes.size() <= most_changes) cut_at(changes);
  std::sort(cells.edges.begin(), cells.edges.end());
  cells.edges.erase(std::unique(cells.edges.begin(), cells.edges.end()), cells.edges.end());
  return cells;
}

FairWorths::FairWorths(const TimeCells& cells, const Cluster& cluster) : cells_(cells) {
  for (const NodeGroup& group : cluster.nodes) {
    if (!group.rent) continue;
    offers_.push_back(offer_of(group));
    map_rate_ = std::max(map_rate_, offers_.back().map_rate);
    reduce_rate_ = std::max(reduce_rate_, offers_.back().reduce_rate);
  }
}

FairWorths::Offer FairWorths::offer_of(const NodeGroup& group) const {
  Offer offer;
  offer.map_rate = group.speed * static_cast<double>(group.slots.map_slots);
  offer.reduce_rate = group.speed * static_cast<double>(group.slots.reduce_slots);
  offer.hourly = group.billing == Billing::per_started_hour;
  const double on_demand = micro(group.price_per_hour);
  offer.price.assign(cells_.count(), on_demand);
  offer.worthless.assign(cells_.count(), false);
  for (std::size_t i = 0; i < group.spot.size(); ++i) {
    const double price = micro(group.spot[i].price_per_hour);
    const double from = in_ms(group.spot[i].from);
    const bool last = i + 1 == group.spot.size();
    const double to = last ? std::numeric_limits<double>::infinity() : in_ms(group.spot[i + 1].from);
    for (std::size_t cell = cells_.at(from); cell < cells_.count() && cells_.edges[cell] < to; ++cell)
      offer.price[cell] = std::min(offer.price[cell], price);
  }
  if (!offer.hourly) {
    for (double& price : offer.price) price /= hour;
    for (std::size_t cell = 0; cell < cells_.count(); ++cell) offer.worthless[cell] = offer.price[cell] <= 0;
    return offer;
  }
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    const double to =
        cell < cells_.finite() ? cells_.edges[cell + 1] : std::numeric_limits<double>::infinity();
    if (offer.price[cell] <= 0) strike(offer, cells_.edges[cell], to + hour);
  }
  if (!group.terms.interrupted_hour) add_unpaid(group, offer);
  return offer;
}

// Marks the hours before each rise of the spot price, and the notice after it.
void FairWorths::add_unpaid(const NodeGroup& group, Offer& offer) const {
  double before = group.price_per_hour;
  for (std::size_t i = 0; i < group.spot.size(); ++i) {
    const double price = group.spot[i].price_per_hour, at = in_ms(group.spot[i].from);
    if (price > before) {
      double since = std::max(0.0, at - hour);
      for (std::size_t past = i; past > 0 && in_ms(group.spot[past - 1].from) > at - hour; --past) {
        const double was = past > 1 ? group.spot[past - 2].price_per_hour : group.price_per_hour;
        if (was < price) continue;
        since = std::max(since, in_ms(group.spot[past - 1].from));
        break;
      }
      strike(offer, since, at + static_cast<double>(to_ms(group.notice)));
    }
    before = price;
  }
}

void FairWorths::strike(Offer& offer, double from, double to) const {
  for (std::size_t cell = cells_.at(from); cell < cells_.count() && cells_.edges[cell] < to; ++cell)
    offer.worthless[cell] = true;
}

Worths FairWorths::start(double share_of_maps) const {
  constexpr double high = 1000;  // more than fair: `mend` limits it
  Worths worths{std::vector<double>(cells_.count(), 0.0), std::vector<double>(cells_.count(), 0.0)};
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    if (map_rate_ > 0) worths.map[cell] = high * share_of_maps * offers_.front().price[cell] / map_rate_;
    if (reduce_rate_ > 0)
      worths.reduce[cell] = high * (1 - share_of_maps) * offers_.front().price[cell] / reduce_rate_;
  }
  return worths;
}

void FairWorths::mend(Worths& worths) const {
  std::vector<double> most(cells_.count(), 1.0);  // by which share a cell is worth too much
  for (const Offer& offer : offers_) excess(offer, worths, most);
  constexpr double safe = 1 - 1e-9;  // sums are rounded
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    worths.map[cell] *= safe / most[cell];
    worths.reduce[cell] *= safe / most[cell];
  }
}

void FairWorths::excess(const Offer& offer, const Worths& worths, std::vector<double>& most) const {
  std::vector<double> worth(cells_.count());
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    worth[cell] = offer.map_rate * worths.map[cell] + offer.reduce_rate * worths.reduce[cell];
    if (offer.worthless[cell] && worth[cell] > 0) most[cell] = std::numeric_limits<double>::infinity();
    if (!offer.hourly && !offer.worthless[cell])
      most[cell] = std::max(most[cell], worth[cell] / offer.price[cell]);
    if (offer.worthless[cell]) worth[cell] = 0;
  }
  if (offer.hourly) excess_of_hours(offer, worth, most);
}

// The worth of an hour is linear in its start between those at which it begins or ends at an edge, so these
// are looked at.
void FairWorths::excess_of_hours(const Offer& offer, const std::vector<double>& worth,
                                 std::vector<double>& most) const {
  const std::size_t finite = cells_.finite();
  std::vector<double> until(cells_.count() + 1, 0.0);  // worth of all time before an edge
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    const double length = cell < finite ? cells_.length(cell) : without_end;
    until[cell + 1] = until[cell] + worth[cell] * length;
  }
  const auto before = [&](double instant, std::size_t cell) {
    return until[cell] + worth[cell] * (instant - cells_.edges[cell]);
  };
  struct Hour {
    std::size_t first = 0, last = 0;  // cells
    double excess = 0;
  };
  std::vector<Hour> hours;
  std::size_t last = 0;
  const auto look = [&](double from, std::size_t first) {
    while (last < finite && cells_.edges[last + 1] < from + hour) ++last;
    std::size_t end = last;
    while (cells_.edges[end] >= from + hour) --end;
    if (offer.price[first] <= 0) return;
    const double value = before(from + hour, end) - before(from, first);
    if (value > offer.price[first]) hours.push_back({first, end, value / offer.price[first]});
  };
  std::size_t ending = cells_.at(hour);  // the next edge at which an hour may end
  for (std::size_t first = 0; first < cells_.count(); ++first) {
    const double from = cells_.edges[first];
    const double to = first < finite ? cells_.edges[first + 1] : from + hour;
    look(from, first);
    while (ending < cells_.count() && cells_.edges[ending] - hour <= from) ++ending;
    for (; ending < cells_.count() && cells_.edges[ending] - hour < to; ++ending)
      look(cells_.edges[ending] - hour, first);
    look(to, first);
  }
  std::deque<Hour> covering;  // by falling excess
  std::size_t next = 0;
  for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
    for (; next < hours.size() && hours[next].first <= cell; ++next) {
      while (!covering.empty() && covering.back().excess <= hours[next].excess) covering.pop_back();
      covering.push_back(hours[next]);
    }
    while (!covering.empty() && covering.front().last < cell) covering.pop_front();
    if (!covering.empty()) most[cell] = std::max(most[cell], covering.front().excess);
  }
}

}  // namespace wavewright
