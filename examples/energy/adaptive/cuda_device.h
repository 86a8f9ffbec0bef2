// An NVIDIA GPU.
#pragma once

#include <memory>

#include "device.h"

namespace adaptive {

// Null where this was built without CUDA, or CUDA finds no GPU. Any error of CUDA's later is DeviceLost.
[[nodiscard]] std::unique_ptr<Device> make_cuda_device();

}  // namespace adaptive
