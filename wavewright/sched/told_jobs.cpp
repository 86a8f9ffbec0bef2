#include "wavewright/sched/told_jobs.h"

#include <algorithm>
#include <utility>

namespace wavewright {

namespace {

class ToldJobs final : public Allocator {
 public:
  ToldJobs(std::unique_ptr<Allocator> policy, std::map<std::string, ToldJob> told)
      : policy_(std::move(policy)), told_(std::move(told)) {}

  [[nodiscard]] std::string name() const override { return policy_->name(); }
  [[nodiscard]] Features needs() const override {
    Features needed = policy_->needs();
    for (const auto& [id, job] : told_) {
      if (job.map_rank || job.reduce_rank) needed = needed | Feature::rank;
      if (job.map_rank != job.reduce_rank) needed = needed | Feature::rank_per_kind;
      if (job.maps || job.reduces) needed = needed | Feature::caps;
      if (!job.no_maps.empty() || !job.no_reduces.empty())
        needed = needed | Feature::caps | Feature::node_classes;
    }
    return needed;
  }
  [[nodiscard]] EventSet subscribes() const override { return policy_->subscribes() | Event::What::arrived; }
  [[nodiscard]] NodeReservations node_reservations() const override { return policy_->node_reservations(); }
  [[nodiscard]] TaskOrder task_order() const override { return policy_->task_order(); }
  void begin(const View& view, Decisions& decisions) override { policy_->begin(view, decisions); }

  void on(const Event& event, const View& view, Decisions& decisions) override {
    policy_->on(event, view, decisions);
    if (event.what != Event::What::arrived) return;
    const auto found = told_.find(std::string(view.facts(event.job).id));
    if (found == told_.end()) return;
    const ToldJob& job = found->second;
    if (job.map_rank) decisions.rank(event.job, Kind::map, *job.map_rank);
    if (job.reduce_rank) decisions.rank(event.job, Kind::reduce, *job.reduce_rank);
    if (job.maps) decisions.cap(event.job, Kind::map, any_class, *job.maps);
    if (job.reduces) decisions.cap(event.job, Kind::reduce, any_class, *job.reduces);
    for (ClassId c = 0; c < view.classes(); ++c) {
      if (job.no_maps.contains(view.class_name(c))) decisions.cap(event.job, Kind::map, c, 0);
      if (job.no_reduces.contains(view.class_name(c))) decisions.cap(event.job, Kind::reduce, c, 0);
    }
  }

 private:
  std::unique_ptr<Allocator> policy_;
  std::map<std::string, ToldJob> told_;
};

}  // namespace

std::unique_ptr<Allocator> make_told_jobs(std::unique_ptr<Allocator> policy,
                                          std::map<std::string, ToldJob> told) {
  return std::make_unique<ToldJobs>(std::move(policy), std::move(told));
}

}  // namespace wavewright
