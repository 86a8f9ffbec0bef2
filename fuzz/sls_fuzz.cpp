#include "fuzz/history.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& reader = wavewright::fuzz::reader_named("SLS trace");
  wavewright::fuzz::read_history_bytes(reader, wavewright::fuzz::view(data, size));
  return 0;
}
