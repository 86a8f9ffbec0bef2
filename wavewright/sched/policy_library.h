// Policies of one's own in a shared object (docs/develop/add-a-policy.md).
#pragma once

#include <filesystem>

#include "wavewright/sched/registry.h"

namespace wavewright {

// Loads the shared object and adds its policies. It stays loaded until the process ends, because policies,
// entries and exceptions from it need its code. Throws ExternalError where the file cannot be read,
// InputError where it is no shared object, lacks one of the two functions, was built for another Wavewright
// or compiler, or fails to register; the registry is then as it was.
void load_policies(const std::filesystem::path& file, PolicyRegistry& registry);

}  // namespace wavewright
