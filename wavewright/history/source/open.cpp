#include "wavewright/core/error.h"
#include "wavewright/history/source/local.h"
#include "wavewright/history/source/rest.h"
#include "wavewright/history/source/standard_input.h"
#include "wavewright/history/source/webhdfs.h"

namespace wavewright {

std::unique_ptr<HistorySource> open_source(const std::string& where, const SourceOptions& options) {
  if (where == "-") return std::make_unique<StandardInput>(options.interrupted);
  const auto has_scheme = [&](const char* scheme) { return where.starts_with(scheme); };
  if (has_scheme("http://") || has_scheme("https://")) return std::make_unique<RestSource>(where, options);
  if (has_scheme("hdfs://") || has_scheme("webhdfs://") || has_scheme("swebhdfs://")) {
    return std::make_unique<WebHdfsSource>(where, options);
  }
  if (has_scheme("file://")) return std::make_unique<LocalSource>(where.substr(7), options.since);
  for (const char* scheme : {"s3a://", "s3://", "gs://", "abfs://", "abfss://", "viewfs://"}) {
    if (has_scheme(scheme)) {
      throw UsageError(std::string("cannot read ") + scheme,
                       "copy the histories into a folder, or name the JobHistory server");
    }
  }
  return std::make_unique<LocalSource>(where, options.since);
}

}  // namespace wavewright
