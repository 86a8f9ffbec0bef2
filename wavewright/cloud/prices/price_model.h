// A model of a spot price: which prices, how long each holds, and how one follows the other.
//
// Prices at changes and times between changes are mixtures of Gaussians, as Javadi, Thulasiram and Buyya fit
// them [CLOUD, reference 13]. Their model draws both independently. A real price stays near the last one, so
// independent draws cross a bid far too often. Here one price follows another in a Markov chain:
//
//   - A price's place is its cumulative share under the mixture. Places of the changes are uniform, so each
//     range of places is a state of known share. States have equal shares; the uppermost is halved again and
//     again while enough changes fall into it, as bids stand among the high prices.
//   - The row of a state holds the shares of the states that followed it, mixed with what a Gaussian copula
//   of
//     the measured rank correlation expects; that weighs as much as `prior_changes` changes. Few changes give
//     the copula, many the chain.
//   - Within a state the place is drawn by that copula, so that a small change stays small.
//   - The mixture of the times is weighted anew for each state, as high prices may be short. The place within
//     it follows a Gaussian autoregression with the measured correlation of neighbouring times.
//   - Times are multiplied so that their mean is that of the history: tails of a fitted logarithm miss it.
//
// Not modelled: the hour of the day, and whatever more than one change back.
#pragma once

#include <cstdint>
#include <vector>

#include "wavewright/cloud/prices/margin.h"
#include "wavewright/cloud/prices/price_history.h"
#include "wavewright/core/stop.h"

namespace wavewright {

struct PriceChain {
  std::vector<double> ends;               // of the states, ascending, the last 1
  std::vector<std::vector<double>> next;  // by state: shares of those that follow
  double correlation = 0;                 // of the normal scores of neighbouring prices
  std::vector<Mixture> times;             // by state: of the times that its prices hold
  double time_correlation = 0;            // of the normal scores of neighbouring times
  double time_factor = 1;                 // drawn times are multiplied by it

  [[nodiscard]] std::size_t state_of(double place) const;
  [[nodiscard]] double begin_of(std::size_t state) const { return state == 0 ? 0 : ends[state - 1]; }
};

struct PriceModel {
  Market market;
  Margin price;  // micro-dollars
  Margin time;   // ms
  std::size_t changes = 0;
  PriceChain chain;
};

struct PriceModelOptions {
  MixtureScale scale = MixtureScale::log;
  std::size_t components = 0;                   // of each mixture; 0 = chosen by BIC
  Duration longest_gap = ms(7 * 86'400'000LL);  // longer times without a row are no times between changes
  std::uint64_t seed = 1;

  static constexpr std::size_t least_changes = 30;
  static constexpr double prior_changes = 1;
};

struct PriceModelFit {
  PriceModel model;
  MarginFit price, time;
};

// Throws UsageError if the history has fewer than `least_changes` changes. O(restarts · iterations ·
// components · distinct values).
[[nodiscard]] PriceModelFit fit_price_model(const PriceHistory& history,
                                            const PriceModelOptions& options = {});

struct GenerateOptions {
  Time begin{};
  Duration length{};  // 0 = `changes` of them
  std::size_t changes = 0;
  bool independent = false;  // each price and time by itself, as in the reference
  std::uint64_t seed = 1;
  std::uint64_t number = 0;  // histories of the same seed and another number are independent
};

// Same model and options, same history. A draw that repeats the price before it is no change: its time is
// added. Throws UsageError if the options ask for nothing or for more than `most_generated` changes.
// O(changes · components).
inline constexpr std::size_t most_generated = 20'000'000;
[[nodiscard]] PriceHistory generate_prices(const PriceModel& model, const GenerateOptions& options);

}  // namespace wavewright
