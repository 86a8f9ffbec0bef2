#include <algorithm>
#include <cmath>

#include "wavewright/cloud/instances/instance_choice.h"
#include "wavewright/cloud/instances/lease_price.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

// What became of one start with one of the job's times.
struct Outcome {
  Duration took{};  // from the request to the job's end
  Money cost;       // of one machine
  bool revoked = false;
};

Outcome on_demand_outcome(Money per_hour, Duration work, const InstanceQuestion& question) {
  return {question.boot + work, on_demand_bill(per_hour, work, question.billing), false};
}

// `outbid`: the first instant from `start` on with a price above the bid.
Outcome spot_outcome(const InstanceType& type, const PriceHistory& history, Time start,
                     std::optional<Time> outbid, Duration work, const InstanceQuestion& question) {
  const Outcome again = on_demand_outcome(type.per_hour, work, question);
  if (outbid == start) return again;
  const Time joined = start + question.boot, done = joined + work;
  if (!outbid || done <= *outbid)
    return {done - start, spot_bill(history, joined, done, false, question.billing), false};
  Outcome outcome = {*outbid - start + again.took, again.cost, true};
  if (*outbid > joined) outcome.cost += spot_bill(history, joined, *outbid, true, question.billing);
  return outcome;
}

std::vector<Time> starts_in(const PriceHistory& history, const InstanceQuestion& question) {
  const Duration room = history.length() - question.deadline;
  if (room <= Duration{}) {
    throw UsageError("the prices of " + history.market().text() + " cover " +
                         format_duration(history.length()) + ", no more than the deadline",
                     "give a longer history, or leave it out");
  }
  std::vector<Time> starts;
  starts.reserve(static_cast<std::size_t>(question.starts));
  for (Count i = 0; i < question.starts; ++i)
    starts.push_back(history.begin() + ms(to_ms(room) / question.starts * i));
  return starts;
}

// The least time that this share of the outcomes does not exceed, and the means.
void sum_up(std::vector<Outcome>& outcomes, const InstanceQuestion& question, InstanceOption& option) {
  std::sort(outcomes.begin(), outcomes.end(),
            [](const Outcome& a, const Outcome& b) { return a.took < b.took; });
  const auto size = static_cast<double>(outcomes.size());
  std::int64_t micro = 0;
  Count revoked = 0, met = 0;
  for (const Outcome& each : outcomes) {
    micro += each.cost.micro_usd;
    revoked += each.revoked ? 1 : 0;
    met += each.took <= question.deadline ? 1 : 0;
  }
  const auto needed = static_cast<std::size_t>(std::max(1.0, std::ceil(question.probability * size - 1e-9)));
  option.time_ms = static_cast<double>(to_ms(outcomes[std::min(needed, outcomes.size()) - 1].took));
  option.expected_usd = static_cast<double>(option.machines) * static_cast<double>(micro) / size /
                        static_cast<double>(micro_per_usd);
  option.probability = static_cast<double>(met) / size;
  option.revoked = static_cast<double>(revoked) / size;
}

}  // namespace

InstanceOption evaluate_option(const InstanceType& type, Count machines, std::optional<Money> bid,
                               const PriceHistory* history, const InstanceQuestion& question) {
  const SlotPool each = machine_slots(type, question.task);
  InstanceOption option;
  option.type = type.name;
  option.machines = machines;
  option.bid = bid;
  option.slots = {std::min(question.maps, machines * each.map_slots),
                  std::min(question.reduces, machines * each.reduce_slots)};
  std::vector<Duration> works;
  for (const double time : question.times_ms(option.slots))
    works.push_back(ms(std::llround(time / type.speed)));
  std::vector<Outcome> outcomes;
  if (!bid) {
    for (const Duration work : works) outcomes.push_back(on_demand_outcome(type.per_hour, work, question));
  } else {
    option.zone = history->market().zone;
    for (const Time start : starts_in(*history, question)) {
      const std::optional<Time> outbid = outbid_from(*history, *bid, start);
      for (const Duration work : works)
        outcomes.push_back(spot_outcome(type, *history, start, outbid, work, question));
    }
  }
  sum_up(outcomes, question, option);
  return option;
}

std::vector<Money> bids_tried(const PriceHistory& history, Money on_demand, Count most) {
  std::vector<Money> bids = {on_demand};
  for (Count i = 1; i < most; ++i) {
    const Money price = history.quantile(static_cast<double>(i) / static_cast<double>(most));
    if (price <= on_demand) bids.push_back(price);
  }
  std::sort(bids.begin(), bids.end());
  bids.erase(std::unique(bids.begin(), bids.end()), bids.end());
  return bids;
}

JobTimes times_by_model(JobStatistics job, TimeModel model) {
  return [job, model](SlotPool slots) { return std::vector<double>{completion_ms(job, slots, model)}; };
}

}  // namespace wavewright
