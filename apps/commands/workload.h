// The subcommands of `wavewright workload`, one file each.
#pragma once

#include <string>
#include <vector>

#include "apps/context.h"
#include "wavewright/job/workload_file.h"

namespace wavewright::app {

void add_workload_gen(CLI::App& workload, Context& context);
void add_workload_convert(CLI::App& workload, Context& context);
void add_workload_describe(CLI::App& workload, Context& context);
void add_workload_deadlines(CLI::App& workload, Context& context);
void add_workload_history(CLI::App& workload, Context& context);
void add_workload_redact(CLI::App& workload, Context& context);

// Writes the workload to `path`, or to standard output if it is empty or `-`. With --json standard output has
// one document only, so a path is required. `open`: as in write_workload. Throws UsageError.
void write_out(const Context& context, const Workload& workload, const std::string& path,
               const std::vector<OpenDurations>& open = {});

// `{"jobs","maps","reduces"}`
[[nodiscard]] Json counts_of(const Workload& workload);

}  // namespace wavewright::app
