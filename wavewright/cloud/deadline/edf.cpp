#include "wavewright/cloud/deadline/edf.h"

namespace wavewright {

std::unique_ptr<Allocator> make_edf(const DeadlineOptions& options) {
  return std::make_unique<DeadlinePolicy>("edf", options);
}

}  // namespace wavewright
