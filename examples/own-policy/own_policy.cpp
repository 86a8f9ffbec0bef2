// A policy of one's own, loaded by the command: the job with the least work left goes first.
//
// Under it alone a long job may wait for ever. With `aging`, each second since a job's submission counts as
// so many seconds less of work: 0 orders by work alone, a large number by submission.
#include "wavewright/sched/registry.h"

namespace {

using namespace wavewright;

class LeastWorkLeft final : public Allocator {
 public:
  explicit LeastWorkLeft(double aging) : aging_(aging) {}

  [[nodiscard]] std::string name() const override { return "least-work-left"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override {
    return Event::What::arrived | Event::What::started | Event::What::lost;
  }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View& view, Decisions& decisions) override {
    const Key rank = rank_of(event.job, view);
    for (const Kind kind : {Kind::map, Kind::reduce}) decisions.rank(event.job, kind, rank);
    if (event.what == Event::What::arrived) decisions.admit(event.job, root_group);
  }

 private:
  // All jobs age alike, so that the order depends on the time of submission, not on the present time.
  [[nodiscard]] Key rank_of(JobIndex job, const View& view) const {
    Duration left{};
    for (const Kind kind : {Kind::map, Kind::reduce})
      left += view.pending(job, kind) * view.estimate(job, kind, any_class).mean;
    return to_ms(left) + static_cast<Key>(aging_ * static_cast<double>(to_ms(view.facts(job).submit)));
  }

  double aging_;
};

}  // namespace

WAVEWRIGHT_POLICY_LIBRARY

void wavewright_register(PolicyRegistry& registry) {
  registry.add(
      {.name = "least-work-left",
       .description = "the job with the least work left goes first",
       .parameters = {{"aging", "NUMBER", "seconds of work that a second of waiting counts for (0)"}},
       .allocator = [](Parameters& parameters, const PolicyContext&) {
         constexpr double most = 1000;
         return std::make_unique<LeastWorkLeft>(parameters.number("aging", 0, {.least = 0, .most = most}));
       }});
}
