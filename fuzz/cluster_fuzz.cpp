// A cluster that is read is written and read again as it was.
#include <cstdint>
#include <cstdlib>

#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"

using namespace wavewright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Cluster cluster = parse_cluster({reinterpret_cast<const char*>(data), size}, "input");
    if (to_toml(parse_cluster(to_toml(cluster), "again")) != to_toml(cluster)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
