#include "wavewright/sched/policies/fifo.h"

namespace wavewright {

namespace {

class Fifo final : public Allocator {
 public:
  [[nodiscard]] std::string name() const override { return "fifo"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::rank); }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override {
    // No ranks: jobs of equal rank go by order of admission, and arrivals come in FIFO order.
    decisions.admit(event.job, root_group);
  }
};

}  // namespace

std::unique_ptr<Allocator> make_fifo() {
  return std::make_unique<Fifo>();
}

PolicyEntry fifo_entry() {
  return {.name = "fifo",
          .description = "jobs in order of submission",
          .allocator = [](Parameters&, const PolicyContext&) { return make_fifo(); }};
}

}  // namespace wavewright
