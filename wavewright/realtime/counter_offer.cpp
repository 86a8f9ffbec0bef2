#include "wavewright/realtime/counter_offer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wavewright {

namespace {

// The least number up to `most` that does; many searches end below `usual`.
std::optional<Count> least_count(Count usual, Count most, const std::function<bool(Count)>& does) {
  if (most == 0) return std::nullopt;
  Count low = 0, high = std::clamp<Count>(usual, 1, most);
  if (!does(high)) {
    low = std::exchange(high, most);
    if (low == high || !does(high)) return std::nullopt;
  }
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (does(middle) ? high : low) = middle;
  }
  return high;
}

Count quotient_up(Count of, Count by) {
  return (of + by - 1) / by;
}

std::string named(const std::vector<JobIndex>& jobs, const View& view) {
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  names.reserve(most);
  for (std::size_t i = 0; i < std::min(jobs.size(), most); ++i)
    names.push_back(fmt::format("'{}'", view.facts(jobs[i]).id));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (jobs.size() > most) text += fmt::format(" and {} more jobs", jobs.size() - most);
  return text;
}

}  // namespace

std::optional<SlotPool> fewest_further_slots(SlotPool own, SlotPool all,
                                             const std::function<bool(SlotPool further)>& in_time) {
  std::optional<SlotPool> fewest;
  const auto search = [&](Count usual, Count most, const std::function<SlotPool(Count)>& slots) {
    const auto least = least_count(usual, most, [&](Count count) { return in_time(slots(count)); });
    const auto in_all = [](SlotPool of) { return of.map_slots + of.reduce_slots; };
    if (least && (!fewest || in_all(slots(*least)) < in_all(*fewest))) fewest = slots(*least);
  };
  search(own.map_slots, all.map_slots, [](Count count) { return SlotPool{count, 0}; });
  search(own.reduce_slots, all.reduce_slots, [](Count count) { return SlotPool{0, count}; });
  if (own.map_slots == 0 || own.reduce_slots == 0) return fewest;
  const Count larger = std::max(own.map_slots, own.reduce_slots);
  const Count times =
      std::max(quotient_up(all.map_slots, own.map_slots), quotient_up(all.reduce_slots, own.reduce_slots));
  search(larger, larger * times, [&](Count count) {
    return SlotPool{quotient_up(own.map_slots * count, larger),
                    quotient_up(own.reduce_slots * count, larger)};
  });
  return fewest;
}

std::vector<JobIndex> jobs_to_give_way(
    const std::vector<JobIndex>& by_deadline, bool nobody_late,
    const std::function<bool(const std::vector<JobIndex>& gone)>& in_time_without) {
  if (by_deadline.empty() || !in_time_without(by_deadline)) return {};
  return fewest_to_give_way(by_deadline, in_time_without, [&] {
    return least_number(2, by_deadline.size(), nobody_late, [&](std::size_t count) {
      return in_time_without({by_deadline.begin(), by_deadline.begin() + static_cast<std::ptrdiff_t>(count)});
    });
  });
}

std::vector<JobIndex> last_due_first(std::vector<JobIndex> jobs, const View& view) {
  const auto due = [&view](JobIndex job) { return view.facts(job).deadline.value_or(Time::max()); };
  std::sort(jobs.begin(), jobs.end(), [&](JobIndex one, JobIndex other) {
    const Time its = due(one), others = due(other);
    return its != others ? its > others : one > other;
  });
  return jobs;
}

std::string further_slots_text(SlotPool slots) {
  const auto some = [](Count count, const char* kind) {
    return fmt::format("{} more {} slot{}", count, kind, count == 1 ? "" : "s");
  };
  if (slots.reduce_slots == 0) return some(slots.map_slots, "map");
  if (slots.map_slots == 0) return some(slots.reduce_slots, "reduce");
  return some(slots.map_slots, "map") + " and " + some(slots.reduce_slots, "reduce");
}

std::string counter_offer_text(const CounterOffer& offer, const View& view) {
  std::string text = "; no deadline would be accepted";
  if (offer.earliest_deadline) {
    // A later one may not be: the job goes behind others then, and may be late behind them.
    const Time earliest = *offer.earliest_deadline;
    text = fmt::format("; a deadline_ms of {} ({}) would be accepted", to_ms(earliest),
                       format_duration(earliest - Time{}));
  }
  std::vector<std::string> ways;
  if (offer.placed_anew) ways.emplace_back("if all tasks were placed anew");
  if (offer.lacks) ways.push_back("with " + further_slots_text(*offer.lacks));
  if (!offer.give_way.empty()) ways.push_back("without " + named(offer.give_way, view));
  if (!ways.empty())
    text += fmt::format("{} {}", offer.earliest_deadline ? ", or its own" : "; its own would be",
                        fmt::join(ways, ", or "));
  return text + '.';
}

}  // namespace wavewright
