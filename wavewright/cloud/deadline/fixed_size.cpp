#include "wavewright/cloud/deadline/fixed_size.h"

namespace wavewright {

namespace {

class FixedSize final : public DeadlinePolicy {
 public:
  FixedSize(const DeadlineOptions& options, Count size)
      : DeadlinePolicy("fixed-size", options), size_(size) {}

 protected:
  [[nodiscard]] Resources need(const View&, bool) const override { return slots_of(size_); }

 private:
  Count size_;
};

}  // namespace

std::unique_ptr<Allocator> make_fixed_size(const DeadlineOptions& options, Count size) {
  return std::make_unique<FixedSize>(options, size);
}

}  // namespace wavewright
