#include "wavewright/cloud/deadline/least_slack.h"

#include <algorithm>

namespace wavewright {

namespace {

class LeastSlack final : public DeadlinePolicy {
 public:
  explicit LeastSlack(const DeadlineOptions& options) : DeadlinePolicy("least-slack", options) {}
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return DeadlinePolicy::subscribes() | started | lost | node_up | node_down | node_notice;
  }

 protected:
  [[nodiscard]] Key rank(JobIndex job, const View& view) const override {
    const Resources all = view.capacity(any_class);
    const auto rest = [&](Kind kind, Count amount) {
      const Duration work = view.pending(job, kind) * view.estimate(job, kind, any_node()).mean;
      return work / std::max<Count>(1, amount / view.minimum_allocation());
    };
    return DeadlinePolicy::rank(job, view) -
           to_ms(rest(Kind::map, all.map_slots) + rest(Kind::reduce, all.reduce_slots));
  }
  void changed(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    if ((event.what == started || event.what == lost) && under_way().contains(event.job))
      rank_again(event.job, view, decisions);
    if (event.what != node_up && event.what != node_down && event.what != node_notice) return;
    for (const auto& [job, begun] : under_way()) rank_again(job, view, decisions);
  }

 private:
  [[nodiscard]] ClassId any_node() const { return machines().node_class(); }
};

}  // namespace

std::unique_ptr<Allocator> make_least_slack(const DeadlineOptions& options) {
  return std::make_unique<LeastSlack>(options);
}

}  // namespace wavewright
