#include "wavewright/cloud/prices/price_chain.h"

#include <algorithm>
#include <cmath>

namespace wavewright {

namespace {

// Pearson's correlation of neighbours; pairs with a NaN are left out. Kept off ±1.
double neighbour_correlation(const std::vector<double>& scores) {
  double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    const double a = scores[i - 1], b = scores[i];
    if (std::isnan(a) || std::isnan(b)) continue;
    count += 1;
    x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  const double spread = (count * xx - x * x) * (count * yy - y * y);
  if (count < 3 || spread <= 0) return 0;
  constexpr double most = 0.999;
  return std::clamp((count * xy - x * y) / std::sqrt(spread), -most, most);
}

// Shares of the components in a value, into `weights`.
void add_shares(const Mixture& mixture, double x, std::vector<double>& weights) {
  std::vector<double> logs;
  for (const Gaussian& each : mixture.components) {
    const double z = (x - each.mean) / each.deviation;
    logs.push_back(std::log(each.weight / each.deviation) - z * z / 2);
  }
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double& log : logs) sum += log = std::exp(log - most);
  for (std::size_t j = 0; j < logs.size(); ++j) weights[j] += logs[j] / sum;
}

// By state the mixture of its times: own shares of the components, mixed with those of all.
std::vector<Mixture> times_by_state(const Margin& time, std::span<const PriceStep> steps,
                                    const std::vector<double>& places, const PriceChain& chain) {
  std::vector<Mixture> times(chain.ends.size(), time.mixture);
  std::vector<std::vector<double>> weights(chain.ends.size());
  for (auto& row : weights)
    for (const Gaussian& each : time.mixture.components)
      row.push_back(each.weight * PriceModelOptions::prior_changes);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].lasted)
      add_shares(time.mixture, time.scaled(static_cast<double>(to_ms(*steps[i].lasted))),
                 weights[chain.state_of(places[i])]);
  for (std::size_t state = 0; state < times.size(); ++state) {
    double sum = 0;
    for (const double weight : weights[state]) sum += weight;
    for (std::size_t j = 0; j < weights[state].size(); ++j)
      times[state].components[j].weight = weights[state][j] / sum;
  }
  return times;
}

// Mean of the times that are drawn without a factor, over many even places of each state.
double mean_drawn(const Margin& time, const PriceChain& chain) {
  constexpr int places = 200;
  double mean = 0;
  for (std::size_t state = 0; state < chain.ends.size(); ++state) {
    double sum = 0;
    for (int i = 0; i < places; ++i)
      sum += static_cast<double>(time.value_at((i + 0.5) / places, chain.times[state]));
    mean += sum / places * (chain.ends[state] - chain.begin_of(state));
  }
  return mean;
}

// Of the changes that are followed: counts of neighbouring states and the copula's shares.
std::vector<std::vector<double>> rows_of(const PriceChain& chain, std::span<const PriceStep> steps,
                                         const std::vector<double>& places) {
  std::vector<std::vector<double>> rows = copula_rows(chain.ends, chain.correlation);
  for (auto& row : rows)
    for (double& share : row) share *= PriceModelOptions::prior_changes;
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i - 1].lasted) rows[chain.state_of(places[i - 1])][chain.state_of(places[i])] += 1;
  for (auto& row : rows) {
    double sum = 0;
    for (const double share : row) sum += share;
    for (double& share : row) share /= sum;
  }
  return rows;
}

}  // namespace

std::size_t PriceChain::state_of(double place) const {
  const auto end = std::upper_bound(ends.begin(), ends.end(), place);
  return static_cast<std::size_t>(std::min(end, std::prev(ends.end())) - ends.begin());
}

std::vector<double> state_ends(std::size_t changes) {
  constexpr std::size_t changes_a_state = 100, most_states = 16;
  constexpr double least_in_half = 16;
  const std::size_t equal = std::clamp<std::size_t>(changes / changes_a_state, 1, most_states);
  std::vector<double> ends;
  for (std::size_t i = 1; i < equal; ++i) ends.push_back(static_cast<double>(i) / static_cast<double>(equal));
  double width = 1 / static_cast<double>(equal);
  while (width / 2 * static_cast<double>(changes) >= least_in_half) {
    width /= 2;
    ends.push_back(1 - width);
  }
  ends.push_back(1);
  return ends;
}

std::vector<std::vector<double>> copula_rows(const std::vector<double>& ends, double correlation) {
  constexpr int points = 16;
  const double own = std::sqrt(1 - correlation * correlation);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    std::vector<double>& row = rows.emplace_back(ends.size(), 0.0);
    const double begin = i == 0 ? 0 : ends[i - 1];
    for (int point = 0; point < points; ++point) {
      const double score = normal_quantile(begin + (ends[i] - begin) * (point + 0.5) / points);
      double below = 0;
      for (std::size_t j = 0; j < ends.size(); ++j) {
        const double up_to = j + 1 == ends.size()
                                 ? 1
                                 : normal_cumulative((normal_quantile(ends[j]) - correlation * score) / own);
        row[j] += (up_to - below) / points;
        below = up_to;
      }
    }
  }
  return rows;
}

PriceChain fit_chain(const Margin& price, const Margin& time, std::span<const PriceStep> steps,
                     std::uint64_t seed) {
  Random within(seed, "place in a step");
  std::vector<double> places, scores, time_scores;
  double sum = 0, known = 0;
  for (const PriceStep& step : steps) {
    places.push_back(price.place_of(step.per_hour.micro_usd, within.unit()));
    scores.push_back(normal_quantile(places.back()));
    const double in_time = within.unit();
    time_scores.push_back(step.lasted ? normal_quantile(time.place_of(to_ms(*step.lasted), in_time)) : NAN);
    if (!step.lasted) continue;
    sum += static_cast<double>(to_ms(*step.lasted));
    known += 1;
  }
  PriceChain chain;
  chain.ends = state_ends(steps.size());
  chain.correlation = neighbour_correlation(scores);
  chain.time_correlation = neighbour_correlation(time_scores);
  chain.next = rows_of(chain, steps, places);
  chain.times = times_by_state(time, steps, places, chain);
  chain.time_factor = known > 0 ? sum / known / std::max(1.0, mean_drawn(time, chain)) : 1;
  return chain;
}

DrawnPrices::DrawnPrices(const PriceModel& model, const GenerateOptions& options)
    : model_(model),
      independent_(options.independent),
      prices_(options.seed, "prices", options.number),
      times_(options.seed, "times between prices", options.number) {}

double DrawnPrices::next_place() {
  const double drawn = prices_.unit();
  if (first_ || independent_) return drawn;
  const PriceChain& chain = model_.chain;
  const std::vector<double>& row = chain.next[chain.state_of(place_)];
  double left = drawn;
  std::size_t state = 0;
  while (state + 1 < row.size() && (left -= row[state]) >= 0) ++state;
  // Within the state by the copula, given the place before.
  const double own = std::sqrt(1 - chain.correlation * chain.correlation);
  const double middle = chain.correlation * normal_quantile(place_);
  const double begin = chain.begin_of(state), end = chain.ends[state];
  const double low = begin <= 0 ? 0 : normal_cumulative((normal_quantile(begin) - middle) / own);
  const double high = end >= 1 ? 1 : normal_cumulative((normal_quantile(end) - middle) / own);
  const double share = low + (high - low) * prices_.unit();
  if (high - low < 1e-12) return begin + (end - begin) * prices_.unit();
  constexpr double edge = 1e-12;
  const double score = middle + own * normal_quantile(std::clamp(share, edge, 1 - edge));
  return std::clamp(normal_cumulative(score), begin, std::nextafter(end, 0.0));
}

Duration DrawnPrices::next_time(const Mixture& times, double place) const {
  const double factor = independent_ ? 1 : model_.chain.time_factor;
  const auto value = static_cast<double>(model_.time.value_at(place, times)) * factor;
  const auto step = static_cast<double>(model_.time.step);
  return ms(std::max<std::int64_t>(1, std::llround(value / step)) * model_.time.step);
}

DrawnPrices::Step DrawnPrices::next() {
  constexpr double edge = 1e-12;
  place_ = std::clamp(next_place(), edge, 1 - edge);
  const double correlation = first_ || independent_ ? 0 : model_.chain.time_correlation;
  const double fresh = normal_quantile(std::clamp(times_.unit(), edge, 1 - edge));
  time_score_ = correlation * time_score_ + std::sqrt(1 - correlation * correlation) * fresh;
  first_ = false;
  const Mixture& times =
      independent_ ? model_.time.mixture : model_.chain.times[model_.chain.state_of(place_)];
  return {Money{model_.price.value_at(place_, model_.price.mixture)},
          next_time(times, normal_cumulative(time_score_))};
}

}  // namespace wavewright
