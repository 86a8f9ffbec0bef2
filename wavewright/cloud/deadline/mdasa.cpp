#include "wavewright/cloud/deadline/mdasa.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "wavewright/cloud/deadline/busy_slots.h"
#include "wavewright/cloud/deadline/slot_plan.h"

namespace wavewright {

namespace {

class Mdasa final : public DeadlinePolicy {
 public:
  Mdasa(const DeadlineOptions& options, const MdasaOptions& own)
      : DeadlinePolicy("mdasa", options), ahead_(own.ahead) {}
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return DeadlinePolicy::subscribes() | started | ended | lost;
  }

 protected:
  void placed(JobIndex job, Begun& begun, const View& view, Decisions&) override {
    const auto deadline = view.facts(job).deadline;
    if (!deadline || !machines().rents()) return;
    begun.maps = place(job, Kind::map, *deadline - begun.needed.reduce_stage, begun.maps, view);
    if (begun.reduces_ready) begun.reduces = place(job, Kind::reduce, *deadline, begun.reduces, view);
  }
  void reduces_placed(JobIndex job, Begun& begun, const View& view, Decisions&) override {
    const auto deadline = view.facts(job).deadline;
    if (!deadline || !machines().rents()) return;
    begun.reduces = place(job, Kind::reduce, *deadline, begun.reduces, view);
  }
  void changed(const Event& event, const View& view, Decisions&) override {
    using enum Event::What;
    busy_.hear(event, view);
    if (event.what == lost && event.outcome == AttemptOutcome::lost) count_in_full(event.job);
  }
  [[nodiscard]] Key rank(JobIndex, const View&) const override { return 0; }  // by admission

 private:
  // The slots that machines are needed for: the idle ones that the job takes and one for each task that
  // finds no place, together at most `most`.
  Count place(JobIndex job, Kind kind, Time end, Count most, const View& view) {
    SlotPlan& plan = plans_[kind == Kind::reduce ? 1 : 0];
    std::vector<Time> until;
    busy_.until(kind).each(
        [&](Time at, Count slots) { until.insert(until.end(), static_cast<std::size_t>(slots), at); });
    plan.refresh(view.now(), slots_there(job, kind, view), std::move(until));
    const auto share = static_cast<double>(to_ms(end - view.now())) * ahead_;
    const Time latest = view.now() + ms(static_cast<std::int64_t>(std::floor(share)));
    const Count tasks = view.pending(job, kind);
    const Duration task = view.estimate(job, kind, machines().node_class()).mean;
    const SlotPlan::Taken taken = plan.place(tasks, task, end, latest);
    return std::min(taken.idle + tasks - taken.tasks, most);
  }

  double ahead_;
  BusySlots busy_;
  std::array<SlotPlan, 2> plans_;  // maps, reduces
};

}  // namespace

std::unique_ptr<Allocator> make_mdasa(const DeadlineOptions& options, const MdasaOptions& own) {
  return std::make_unique<Mdasa>(options, own);
}

}  // namespace wavewright
