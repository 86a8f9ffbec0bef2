#include "wavewright/cloud/deadline/ndasa.h"

namespace wavewright {

namespace {

class Ndasa final : public DeadlinePolicy {
 public:
  explicit Ndasa(const DeadlineOptions& options) : DeadlinePolicy("ndasa", options) {}
  [[nodiscard]] Features needs() const override { return DeadlinePolicy::needs() | Feature::caps; }

 protected:
  void placed(JobIndex job, Begun& begun, const View&, Decisions& decisions) override {
    const SlotPool& slots = begun.needed.slots;
    if (slots.map_slots > 0) decisions.cap(job, Kind::map, any_class, slots.map_slots);
    if (slots.reduce_slots > 0) decisions.cap(job, Kind::reduce, any_class, slots.reduce_slots);
  }
  [[nodiscard]] Key rank(JobIndex, const View&) const override { return 0; }  // by admission
};

}  // namespace

std::unique_ptr<Allocator> make_ndasa(const DeadlineOptions& options) {
  return std::make_unique<Ndasa>(options);
}

}  // namespace wavewright
