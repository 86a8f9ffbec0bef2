#include "apps/policies.h"

#include <utility>

#include "wavewright/cloud/deadline/policies.h"
#include "wavewright/energy/policies.h"
#include "wavewright/realtime/policies.h"
#include "wavewright/sched/policy_library.h"
#include "wavewright/sched/policy_spec.h"

namespace wavewright::app {

PolicyRegistry command_policies() {
  PolicyRegistry registry = standard_policies();
  for (std::vector<PolicyEntry> entries : {deadline_policies(), realtime_policies(), energy_policies()})
    for (PolicyEntry& entry : entries) registry.add(std::move(entry));
  return registry;
}

std::string policy_help() {
  std::string text = "policy:";
  const PolicyRegistry policies = command_policies();
  for (const PolicyEntry& entry : policies.entries()) text.append(" ").append(entry.usage());
  return text;
}

void PolicyLibraries::declare(CLI::App& command) {
  command
      .add_option(
          "--policy-library", files_,
          "a shared object with policies of one's own (docs/develop/add-a-policy.md); may be repeated")
      ->type_name("FILE.so")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

PolicyRegistry PolicyLibraries::registry() const {
  PolicyRegistry registry = command_policies();
  for (const std::string& file : files_) load_policies(file, registry);
  return registry;
}

}  // namespace wavewright::app
