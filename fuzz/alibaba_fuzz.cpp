// Alibaba's batch_task.csv.
#include "fuzz/memory_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/alibaba.h"

using namespace wavewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  try {
    const Conversion read = read_alibaba(file.path(), 100'000);
    if (read.workload.jobs.empty()) std::abort();
    // Whatever the names say, no edge leads to nowhere and none in a circle.
    check(read.workload, "fuzz");
  } catch (const InputError& error) {
    if (error.where().source == "fuzz") std::abort();
  }
  return 0;
}
