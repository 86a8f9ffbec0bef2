// `wavewright workload`: generates, converts and describes batches.
#include "apps/commands/workload.h"

#include <iostream>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"

namespace wavewright::app {

void write_out(const Context& context, const Workload& workload, const std::string& path,
               const std::vector<OpenDurations>& open) {
  if (!path.empty() && path != "-") {
    write_file(path, [&](std::ostream& out) { write_workload(out, workload, open); });
    return;
  }
  if (context.json) {
    throw UsageError("with --json the workload itself needs a file", "name one with --out FILE");
  }
  write_workload(std::cout, workload, open);
}

Json counts_of(const Workload& workload) {
  std::size_t maps = 0;
  std::size_t reduces = 0;
  for (const Job& job : workload.jobs) {
    maps += job.maps.size();
    reduces += job.reduces.size();
  }
  return {{"jobs", workload.jobs.size()}, {"maps", maps}, {"reduces", reduces}};
}

void add_workload(CLI::App& root, Context& context) {
  CLI::App* workload = root.add_subcommand("workload", "Make, convert, describe and redact workload files");
  workload->footer("Example: wavewright workload gen facebook --out facebook.jsonl");
  workload->require_subcommand(1);
  workload->fallthrough();
  add_workload_gen(*workload, context);
  add_workload_convert(*workload, context);
  add_workload_describe(*workload, context);
  add_workload_deadlines(*workload, context);
  add_workload_history(*workload, context);
  add_workload_redact(*workload, context);
}

}  // namespace wavewright::app
