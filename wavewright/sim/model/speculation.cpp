#include "wavewright/sim/model/speculation.h"

#include <algorithm>
#include <numeric>

namespace wavewright::sim {

namespace {

constexpr double gap = 0.2;  // below the mean

std::vector<std::size_t> far_below_the_mean(std::span<const Progress> running, std::size_t finished) {
  auto sum = static_cast<double>(finished);
  for (const Progress& each : running) sum += each.done;
  const double mean = sum / static_cast<double>(running.size() + finished);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < running.size(); ++i) {
    if (running[i].eligible && running[i].done < mean - gap) chosen.push_back(i);
  }
  return chosen;
}

double rate(const Progress& attempt) {
  return attempt.elapsed == 0 ? 0 : attempt.done / static_cast<double>(attempt.elapsed);
}

std::vector<std::size_t> longest_to_end(std::span<const Progress> running, std::size_t most,
                                        std::span<const std::uint64_t> took) {
  std::vector<double> rates;
  for (const Progress& each : running) rates.push_back(rate(each));
  for (const std::uint64_t each : took)
    rates.push_back(1 / static_cast<double>(std::max<std::uint64_t>(1, each)));
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
  const auto quarter = static_cast<std::ptrdiff_t>((rates.size() + 3) / 4 - 1);
  std::nth_element(rates.begin(), rates.begin() + quarter, rates.end());
  const double slow = rates[static_cast<std::size_t>(quarter)];
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < running.size(); ++i) {
    if (running[i].eligible && rate(running[i]) <= slow && rate(running[i]) < mean) chosen.push_back(i);
  }
  // An attempt without progress would take for ever.
  const auto left = [&](std::size_t i) {
    constexpr double forever = 1e300;
    return rate(running[i]) > 0 ? (1 - running[i].done) / rate(running[i]) : forever;
  };
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return left(a) > left(b); });
  if (chosen.size() > most) chosen.resize(most);
  return chosen;
}

}  // namespace

std::uint64_t Pace::first_behind(std::uint64_t now, const Move& move) const {
  if (move.done > 1 - gap) return ~std::uint64_t{0};  // the mean cannot be so far above
  const double left = gap - (mean_ - move.done);
  // The mean rises by at most slope_, the attempt by its own slope while it works.
  const double closing = slope_ - (move.works ? move.slope : 0);
  // far_below_the_mean sums in another order, so a tie may fall either way.
  constexpr double rounding = 1e-9;
  if (left <= rounding) return now;
  constexpr double most = 1e15, early = 2;  // ms
  if (closing <= 0 || left > most * closing) return ~std::uint64_t{0};
  const double time = left / closing - early;
  return time <= 0 ? now : now + static_cast<std::uint64_t>(time);
}

std::vector<std::size_t> choose_to_double(SpeculationRule rule, std::span<const Progress> running,
                                          std::size_t finished, std::size_t most,
                                          std::span<const std::uint64_t> took) {
  if (running.empty()) return {};
  return rule == SpeculationRule::late ? longest_to_end(running, most, took)
                                       : far_below_the_mean(running, finished);
}

}  // namespace wavewright::sim
