// Tables of other programs: SWIM's and the simulators' text forms.
#include "fuzz/memory_file.h"
#include "wavewright/core/error.h"
#include "wavewright/job/format_conversion.h"
#include "wavewright/job/swim.h"

using namespace wavewright;

namespace {

template <class Read>
void try_reading(Read read) {
  try {
    if (read().workload.jobs.empty()) std::abort();  // nothing usable is an error, not an empty workload
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::MemoryFile file(data, size);
  // Large splits: a row of a few digits may ask for millions of tasks.
  SwimModel model;
  model.block = Bytes{std::int64_t{1} << 50};
  model.per_reduce = model.block;
  try_reading([&] { return read_swim(file.path(), model); });
  try_reading([&] { return read_text(file.path()); });
  try_reading([&] { return read_short_text(file.path(), 1'000'000); });
  return 0;
}
