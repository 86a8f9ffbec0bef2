// Policies from a shared object (docs/develop/add-a-policy.md).
#pragma once

#include <filesystem>

#include "wavewright/sched/registry.h"

namespace wavewright {

// Loads the shared object and adds its policies. It stays loaded until the process ends, because policies,
// entries and exceptions from it need its code. Throws ExternalError if the file cannot be read; InputError
// if it is not a shared object, lacks one of the two functions, was built for another Wavewright or compiler,
// or fails to register. The registry is then unchanged.
void load_policies(const std::filesystem::path& file, PolicyRegistry& registry);

}  // namespace wavewright
