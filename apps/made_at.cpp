#include "apps/made_at.h"

#include <chrono>
#include <cstdlib>

#include "wavewright/core/error.h"
#include "wavewright/core/time.h"

namespace wavewright::app {

std::string made_at() {
  std::int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr && *epoch != '\0') {
    char* end = nullptr;
    seconds = std::strtoll(epoch, &end, 10);
    if (*end != '\0')
      throw UsageError("SOURCE_DATE_EPOCH is not a number of seconds", "unset it, or set one");
  }
  return format_utc(at_ms(seconds * 1000)) + " UTC";
}

}  // namespace wavewright::app
