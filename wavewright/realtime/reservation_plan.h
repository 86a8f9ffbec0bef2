// The plan of YARN's ReservationSystem: slots that are reserved over time, and the agents that find room in
// it for a job [Curino et al. 2014; Hadoop 3.4, resourcemanager.reservation.planning].
//
// A task has a slot for the length of its stage, as one block of the plan: [from, to). The reduces' blocks
// begin when the last block of the maps has ended. Times are multiples of the plan's step.
//
// `greedy`, GreedyReservationAgent: it goes through time once, and places as many tasks as fit at each
// instant at which room may begin. In doing so it knows what was reserved before the stage, and forgets what
// it has placed for the stage itself. So it may place more than fits, and the plan then refuses the job. A
// plan that does not forget has each task as early as it fits.
//
// `aligned`, AlignedPlannerWithGreedy: a stage gets its length, and a part of the time that is left in
// proportion to its slot time. That is cut into windows of the stage's length. Some tasks at a time, a
// tenth of those that each window would have, go to the window with the least reserved in it, the earlier
// one of equals. Where that finds no room, greedy.
//
// Readings: maps and reduces have slots of their own, so a window's cost counts its own kind; both agents
// favour early times, as is YARN's default.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "wavewright/cluster/cluster.h"
#include "wavewright/sched/event.h"

namespace wavewright {

enum class ReservationAgent { greedy, aligned };

class ReservationPlan {
 public:
  // `tasks` that need a slot for `length` each; length above 0.
  struct Stage {
    Count tasks = 0;
    Duration length{};
  };
  // From `from` to `to` so many slots, for one task each.
  struct Block {
    Time from{}, to{};
    Count slots = 0;

    friend bool operator==(const Block&, const Block&) = default;
  };
  struct Reservation {
    std::vector<Block> maps, reduces;  // by time
  };

  // `step` above 0. `forgets`: as Hadoop's greedy agent does.
  explicit ReservationPlan(Duration step, bool forgets = true) : step_(step), forgets_(forgets) {}

  // Room for a job between two times, or none. Greedy: O(steps · blocks). Aligned: O((windows + tasks) ·
  // log windows + windows · steps).
  [[nodiscard]] std::optional<Reservation> find(ReservationAgent agent, SlotPool slots, Stage maps,
                                                Stage reduces, Time from, Time deadline) const;
  // O((blocks + steps) · log steps).
  void add(const Reservation& reservation);
  // What of it lies behind `now`; what lies before does not matter any more.
  void remove(const Reservation& reservation, Time now);
  // Forgets what lies before.
  void forget_before(Time now);

  // Reserved slots of the kind at an instant.
  [[nodiscard]] Count reserved(Kind kind, Time at) const;

 private:
  // From a time on so many slots are reserved, until the next time. At first none.
  using Steps = std::map<std::int64_t, Count>;

  static void change(Steps& steps, std::int64_t from, std::int64_t to, Count by);
  // Area under the steps, slots · ms, and the most at once, between two times.
  struct Span {
    Count area = 0, most = 0;
  };
  static Span over(const Steps& steps, std::int64_t from, std::int64_t to);
  // So many of `most` tasks fit from a time on for that long, and when the last run of the steps that lets no
  // more of them fit is over; absent = never.
  struct Room {
    Count tasks = 0;
    std::optional<std::int64_t> until;
  };
  static Room room(const Steps& reserved, Count slots, Count most, std::int64_t from, std::int64_t length);
  [[nodiscard]] std::optional<std::vector<Block>> greedy(const Steps& reserved, Count slots,
                                                         const Stage& stage, std::int64_t from,
                                                         std::int64_t deadline) const;
  [[nodiscard]] static std::optional<std::vector<Block>> forgetful(const Steps& reserved, Count slots,
                                                                   const Stage& stage, std::int64_t from,
                                                                   std::int64_t deadline);
  [[nodiscard]] static std::optional<std::vector<Block>> aligned(const Steps& reserved, Count slots,
                                                                 const Stage& stage, std::int64_t from,
                                                                 std::int64_t deadline);
  [[nodiscard]] std::int64_t up(std::int64_t ms) const;    // to a multiple of the step
  [[nodiscard]] std::int64_t down(std::int64_t ms) const;  // likewise

  Duration step_;
  bool forgets_;
  Steps maps_, reduces_;
};

}  // namespace wavewright
