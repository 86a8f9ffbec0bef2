// A workload that is read is written and read again as it was.
#include <sstream>

#include "fuzz/memory_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/workload_file.h"

using namespace wavewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Workload workload;
  try {
    WorkloadReadOptions options;
    options.most_tasks = 1'000'000;  // a few bytes may ask for billions
    workload = read_workload(fuzz::MemoryFile(data, size).path(), options);
  } catch (const InputError&) {
    return 0;
  }
  Count tasks = 0;
  for (const Job& job : workload.jobs) tasks += static_cast<Count>(job.maps.size() + job.reduces.size());
  if (tasks > 10'000) return 0;  // a few bytes ask for a million tasks: read, but too slow to write each time
  std::ostringstream out;
  write_workload(out, workload);
  const std::string text = out.str();
  const fuzz::MemoryFile again(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  std::ostringstream twice;
  write_workload(twice, read_workload(again.path()));
  if (twice.str() != text) std::abort();
  return 0;
}
