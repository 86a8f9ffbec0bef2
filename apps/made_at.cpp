#include "apps/made_at.h"

#include <cstdlib>

#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

Time now_or_epoch() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch == nullptr || *epoch == '\0') return now_instant();
  char* end = nullptr;
  const std::int64_t seconds = std::strtoll(epoch, &end, 10);
  if (*end != '\0') throw UsageError("SOURCE_DATE_EPOCH is not a number of seconds", "unset it, or set one");
  return at_ms(seconds * 1000);
}

std::string made_at() {
  const Time now = now_or_epoch();
  return format_instant(now) + " " + zone_name(now);
}

}  // namespace wavewright::app
