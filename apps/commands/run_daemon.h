// `wavewright run FILE --daemon URL`: the jobs of a file go to a daemon, and are followed until all have
// ended.
#pragma once

#include <string>

#include "apps/commands/batch_desk.h"
#include "apps/context.h"

namespace wavewright::app {

// Adds the jobs, all or none, tells what happens to them, and prints them at the end. Then it compares what
// was promised of them with what happened, unless `no_check`. A daemon that goes away is waited for; after
// Ctrl-C the jobs go on. Returns the exit status: 0 if all are done, in time if they have deadlines and are
// compared. Throws what BatchDesk::add throws.
[[nodiscard]] int run_at_daemon(const Context& context, const DeskOptions& where, const JobsToAdd& jobs,
                                bool no_check);

}  // namespace wavewright::app
