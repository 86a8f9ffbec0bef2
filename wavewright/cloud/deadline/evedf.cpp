#include "wavewright/cloud/deadline/evedf.h"

#include <utility>
#include <vector>

namespace wavewright {

namespace {

class Evedf final : public DeadlinePolicy {
 public:
  Evedf(const DeadlineOptions& options, const EvedfOptions& own)
      : DeadlinePolicy("evedf", options), own_(own) {}
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return DeadlinePolicy::subscribes() | ended | lost | node_up;
  }

 protected:
  void arrived(const Event& event, const View& view, Decisions& decisions) override {
    waiting_.push_back(event.job);
    review(view, decisions);
  }
  void changed(const Event&, const View& view, Decisions& decisions) override { review(view, decisions); }

 private:
  void review(const View& view, Decisions& decisions) {
    if (waiting_.empty() || !(under_way().empty() || low_use(view) || low_load(view))) return;
    for (const JobIndex job : std::exchange(waiting_, {})) begin_job(job, view.now(), view, decisions);
  }
  [[nodiscard]] bool low_use(const View& view) const {
    const Resources all = view.capacity(any_class), used = view.used(root_group);
    return static_cast<double>(used.map_slots + used.reduce_slots) <
           own_.utilisation * static_cast<double>(all.map_slots + all.reduce_slots);
  }
  [[nodiscard]] bool low_load(const View& view) const {
    const Resources all = view.capacity(any_class);
    Count tasks = 0;
    for (const auto& [job, begun] : under_way())
      tasks += view.pending(job, Kind::map) + view.pending(job, Kind::reduce);
    const Count slots = (all.map_slots + all.reduce_slots) / view.minimum_allocation();
    return static_cast<double>(tasks) < own_.load * static_cast<double>(slots);
  }

  EvedfOptions own_;
  std::vector<JobIndex> waiting_;
};

}  // namespace

std::unique_ptr<Allocator> make_evedf(const DeadlineOptions& options, const EvedfOptions& own) {
  return std::make_unique<Evedf>(options, own);
}

}  // namespace wavewright
