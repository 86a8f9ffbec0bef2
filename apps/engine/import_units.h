// Histories in HDFS that a cluster's nodes read, in groups as units of work.
#pragma once

#include <string>

#include "apps/engine/engine_options.h"
#include "wavewright/history/source.h"
#include "wavewright/store/importer.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

// As import_from(open_source(place, source), …), but the nodes read and pack the files. `place` is a folder
// of HDFS. Throws UsageError for another; as YarnEngine and UnitRun do; Interrupted.
void import_on_yarn(const Context& context, const EngineFlags& flags, const std::string& place,
                    const SourceOptions& source, const ImportOptions& options, Store& store,
                    ImportSummary& summary, const std::function<void(const ImportSummary&)>& progress);

// Throws UsageError unless it is `hdfs://…`, `webhdfs://…` or `swebhdfs://…`.
void require_hdfs(const std::string& place);

// Throws UsageError if its NameNode wants Kerberos tickets, which tasks do not have. Throws Interrupted.
void refuse_kerberos(const std::string& place, const SourceOptions& source);

}  // namespace wavewright::app
