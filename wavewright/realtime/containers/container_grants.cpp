#include "wavewright/realtime/containers/container_grants.h"

#include <algorithm>
#include <functional>

namespace wavewright {

void ContainerGrants::started(const Event& event, Count held) {
  OfKind& its = of(event.kind);
  its.running.push_back({event.task, event.attempt, event.at});
  if (held <= its.held) return;  // it shares one, or the policy was told of it before
  its.held = held;
  if (!its.waiting.empty()) its.waiting.erase(its.waiting.begin());
}

bool ContainerGrants::ended(const Event& event, Count held) {
  OfKind& its = of(event.kind);
  const auto same = [&](const Running& each) {
    return each.task == event.task && each.attempt == event.attempt;
  };
  const auto found = std::find_if(its.running.begin(), its.running.end(), same);
  if (found == its.running.end()) return false;  // the output of a map that had ended is lost
  if (event.what == Event::What::lost && held >= its.held) return false;  // not free yet
  its.running.erase(found);
  const Count before = its.held;
  its.held = std::max({Count{0}, held, before - 1});
  return its.held < before;
}

std::vector<Time> ContainerGrants::ends(Kind kind, Duration task, Time now, Time up,
                                        const ContainerWaits& waits) const {
  const OfKind& its = of(kind);
  std::vector<Time> ends;
  ends.reserve(its.running.size() + its.waiting.size());
  for (const Running& each : its.running) ends.push_back(each.since + waits.of_given(task));
  // Several tasks may share a container: the latest ends count. Of some, nothing may be known yet.
  std::sort(ends.begin(), ends.end(), std::greater<>());
  ends.resize(static_cast<std::size_t>(its.held), now + waits.of_given(task));
  for (const Time granted : its.waiting) ends.push_back(std::max(granted, up) + waits.of_task(kind, task));
  return ends;
}

}  // namespace wavewright
