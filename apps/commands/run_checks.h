// Checks of a batch before anything of it is submitted: programs and their files, queues, rights,
// the cluster itself. `run`, `submit` and the daemon share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/commands/run_batch.h"
#include "apps/context.h"
#include "wavewright/live/yarn/pool_queues.h"
#include "wavewright/live/yarn/queue_access.h"
#include "wavewright/live/yarn/queue_names.h"

namespace wavewright::app {

struct RunOptions;

// Throws InputError with the job if its program, or a file that its command names, is not on this machine or
// cannot be read, and if a file of settings sets what is set for each run. Files are those of the folder in
// which this program works, as the command will. `of_others`: the jobs run under another account. Then only
// programs without a path are looked for: this account may see more files than that one, and must not tell of
// them.
void check_programs(const RunBatch& batch, const std::string& file, bool of_others = false);

// The same as notes, each problem once.
void note_programs(const Context& context, const RunBatch& batch);

// Tells the notes on the commands of jobs, each once. The document is that of `run --dry-run --json` and
// `submit --json`.
void note_commands(const Context& context, const RunBatch& batch);
void note_commands(const Context& context, const Json& document);

// Throws InputError with the job if the cluster refuses the name of its queue.
void check_queues(const RunBatch& batch, const std::string& file, QueueNames& names);

// Throws InputError with the job if YARN is sure to refuse its user in its queue. Nothing is known of
// commands that may submit as another user. `pools`: the jobs' queues are made below one, whose users may use
// them.
void check_access(const RunBatch& batch, const std::string& file, QueueAccess& access,
                  const Submitter& submitter, const std::optional<PoolQueues>& pools = std::nullopt);

// Refuses a cluster that cannot be driven, and queues that it refuses itself or that this user may not use,
// before anything is rented or submitted. Queues of pools are made later. Notes tell what is not sure.
void check_cluster(const Context& context, const RunOptions& options, const RunBatch& batch);

// As whom this program's commands submit, as far as Hadoop's variables tell: its account where they do not.
[[nodiscard]] std::string submitting_user();

// One line on users that jobs name, and as whom they do not run (`other_users` of the document that `run
// --dry-run --json` and `submit --json` print); empty if there are none.
[[nodiscard]] std::string users_note(const std::vector<std::string>& users, const std::string& runs_as);
[[nodiscard]] std::string users_note(const Json& document, const std::string& runs_as);

}  // namespace wavewright::app
