// A device that may be lost, and one that takes over for good when it is.
#pragma once

#include <functional>
#include <memory>

#include "device.h"

namespace adaptive {

// `told`: called once with the reason.
[[nodiscard]] std::unique_ptr<Device> make_fallback_device(std::unique_ptr<Device> first,
                                                           std::unique_ptr<Device> second,
                                                           std::function<void(const std::string&)> told);

// For tests and drills: does `calls` calls, and is lost in the middle of the next one. A GPU really breaks
// then.
[[nodiscard]] std::unique_ptr<Device> make_failing_device(std::unique_ptr<Device> device, int calls);

}  // namespace adaptive
