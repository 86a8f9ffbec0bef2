// A plan that is read is written and read again as it was.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/sched/plan_file.h"

using namespace wavewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Plan plan = plan_from_json({reinterpret_cast<const char*>(data), size}, "input");
    const std::string text = plan_to_json(plan).dump();
    if (plan_to_json(plan_from_json(text, "again")).dump() != text) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
