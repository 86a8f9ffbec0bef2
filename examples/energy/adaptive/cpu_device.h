// The processor: vector instructions, and a thread for each processor that was given.
#pragma once

#include <memory>

#include "device.h"

namespace adaptive {

// The results do not depend on the number of threads.
[[nodiscard]] std::unique_ptr<Device> make_cpu_device(int threads);

}  // namespace adaptive
