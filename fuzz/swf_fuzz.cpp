// Tables in the Standard Workload Format.
#include "fuzz/memory_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/swf.h"

using namespace wavewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  for (const bool with_failed : {false, true}) {
    try {
      // Few tasks: a row of a few digits may ask for millions.
      const Conversion read = read_swf(file.path(), {with_failed, 100'000});
      if (read.workload.jobs.empty()) std::abort();  // nothing usable is an error, not an empty workload
      check(read.workload, "fuzz");
    } catch (const InputError& error) {
      if (error.where().source == "fuzz") std::abort();
    }
  }
  return 0;
}
