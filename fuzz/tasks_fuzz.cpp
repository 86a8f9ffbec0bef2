// The packed tasks of a stored run, damaged in any way.
#include <cstdint>
#include <stdexcept>

#include "wavewright/store/task_codec.h"

using namespace wavewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  JobRun run;
  run.id = "job_1700000000000_0001";
  try {
    unpack_tasks({reinterpret_cast<const char*>(data), size}, run);
  } catch (const std::runtime_error&) {
  }
  return 0;
}
