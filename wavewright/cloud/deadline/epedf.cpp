#include "wavewright/cloud/deadline/epedf.h"

#include <vector>

namespace wavewright {

namespace {

constexpr Token epoch_ends = 0;

class Epedf final : public DeadlinePolicy {
 public:
  Epedf(const DeadlineOptions& options, const EpedfOptions& own)
      : DeadlinePolicy("epedf", options), epoch_(own.epoch) {}
  [[nodiscard]] Features needs() const override { return DeadlinePolicy::needs() | Feature::timers; }
  [[nodiscard]] EventSet subscribes() const override {
    return DeadlinePolicy::subscribes() | Event::What::timer;
  }

 protected:
  void arrived(const Event& event, const View& view, Decisions& decisions) override {
    const Time end = event.at + (epoch_ - event.at.time_since_epoch() % epoch_);
    if (end <= view.now()) return begin_job(event.job, end, view, decisions);  // told again after a restart
    waiting_.push_back(event.job);
    decisions.set_timer(end, epoch_ends);
  }
  void changed(const Event& event, const View& view, Decisions& decisions) override {
    if (event.what != Event::What::timer || event.token != epoch_ends) return;
    for (const JobIndex job : waiting_) begin_job(job, event.at, view, decisions);
    waiting_.clear();
  }

 private:
  Duration epoch_;
  std::vector<JobIndex> waiting_;  // all of one epoch
};

}  // namespace

std::unique_ptr<Allocator> make_epedf(const DeadlineOptions& options, const EpedfOptions& own) {
  return std::make_unique<Epedf>(options, own);
}

}  // namespace wavewright
