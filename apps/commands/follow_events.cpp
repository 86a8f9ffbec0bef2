#include "apps/commands/follow_events.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/when.h"
#include "wavewright/live/batch/outages.h"

namespace wavewright::app {

bool follow_events(const Context& context, BatchDesk& desk, std::int64_t behind, Time end,
                   const std::function<bool(const NumberedEvent&)>& take) {
  constexpr std::chrono::milliseconds longest = std::chrono::hours(1);
  Outages outages([&](const std::string& line) { context.note(line); });
  bool more = true;
  while (more && !context.interrupted.load() && now_instant() < end) {
    try {
      const auto left = std::min<std::chrono::milliseconds>(end - now_instant(), longest);
      desk.follow(behind, left, [&](const NumberedEvent& event) {
        behind = event.number;
        return more = take(event);
      });
      outages.over();
    } catch (const Interrupted&) {
      break;
    } catch (const ExternalError& error) {
      outages.tell(error.what());
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  }
  return !context.interrupted.load();
}

}  // namespace wavewright::app
