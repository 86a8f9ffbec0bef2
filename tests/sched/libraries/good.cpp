// A library with an allocator and a placer.
#include <stdexcept>

#include "wavewright/core/error.h"
#include "wavewright/sched/registry.h"

namespace {

using namespace wavewright;

class Mine final : public Allocator {
 public:
  explicit Mine(Count x) : x_(x) {}
  [[nodiscard]] std::string name() const override { return "mine " + std::to_string(x_); }
  [[nodiscard]] Features needs() const override { return {}; }
  [[nodiscard]] EventSet subscribes() const override { return EventSet::of(Event::What::arrived); }
  void begin(const View&, Decisions&) override {}
  void on(const Event& event, const View&, Decisions& decisions) override {
    decisions.admit(event.job, root_group);
  }

 private:
  Count x_;
};

class MinePlacer final : public Placer {
 public:
  [[nodiscard]] std::string name() const override { return "mine-placer"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}
  [[nodiscard]] std::optional<TaskChoice> place(const Offer&, Candidates& candidates, const View&,
                                                Decisions&) override {
    const std::optional<JobIndex> job = candidates.next();
    return job ? candidates.closest(*job, Locality::off_rack) : std::nullopt;
  }
};

}  // namespace

WAVEWRIGHT_POLICY_LIBRARY

void wavewright_register(PolicyRegistry& registry) {
  registry.add({.name = "mine",
                .description = "an allocator",
                .parameters = {{"x", "COUNT", "any number but 13"}},
                .allocator = [](Parameters& parameters, const PolicyContext&) {
                  const Count x = parameters.whole("x", {}, {.least = 0});
                  if (x == 13) throw std::domain_error("thirteen");
                  return std::make_unique<Mine>(x);
                }});
  registry.add({.name = "mine-placer",
                .description = "a placer",
                .placer = [](Parameters&, const PolicyContext&) { return std::make_unique<MinePlacer>(); }});
}
