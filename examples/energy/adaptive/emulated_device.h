// The GPU's functions (grid_kernels.h), run by the processor one thread after another: slow, for tests and
// drills where there is no GPU.
#pragma once

#include <memory>

#include "device.h"

namespace adaptive {

[[nodiscard]] std::unique_ptr<Device> make_emulated_device();

}  // namespace adaptive
