#include "wavewright/core/error.h"
#include "wavewright/history/source/local.h"

namespace wavewright {

std::unique_ptr<HistorySource> open_source(const std::string& where, const SourceOptions& /*options*/) {
  for (const char* scheme : {"http://", "https://", "hdfs://", "webhdfs://"}) {
    if (where.starts_with(scheme)) {
      throw UsageError("cannot read " + std::string(scheme) + " yet", "name a file or folder");
    }
  }
  return std::make_unique<LocalSource>(where);
}

}  // namespace wavewright
