#include "wavewright/realtime/counter_offer.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wavewright {

namespace {

// The least part of `most`, rounded up, that does.
std::optional<SlotPool> least_part(SlotPool most, const std::function<bool(SlotPool)>& does) {
  const Count steps = std::max(most.map_slots, most.reduce_slots);
  if (steps == 0) return std::nullopt;
  const auto part = [&](Count step) {
    return SlotPool{(most.map_slots * step + steps - 1) / steps,
                    (most.reduce_slots * step + steps - 1) / steps};
  };
  if (!does(part(steps))) return std::nullopt;
  Count low = 0, high = steps;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (does(part(middle)) ? high : low) = middle;
  }
  return part(high);
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

std::optional<SlotPool> fewest_further_slots(Count maps, Count reduces,
                                             const std::function<bool(SlotPool further)>& in_time) {
  std::vector<SlotPool> kinds{{maps, 0}, {0, reduces}};
  if (maps > 0 && reduces > 0) kinds.push_back({maps, reduces});
  std::optional<SlotPool> fewest;
  for (const SlotPool most : kinds) {
    const std::optional<SlotPool> part = least_part(most, in_time);
    const auto in_all = [](SlotPool slots) { return slots.map_slots + slots.reduce_slots; };
    if (part && (!fewest || in_all(*part) < in_all(*fewest))) fewest = part;
  }
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
