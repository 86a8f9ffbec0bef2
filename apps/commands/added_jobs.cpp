#include "apps/commands/added_jobs.h"

#include <fmt/format.h>

#include "apps/commands/run_batch.h"
#include "apps/commands/run_checks.h"
#include "apps/commands/run_live.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

AddedToBatch add_to_batch(const BatchStore& batches, const LiveBatch& head, Workload jobs,
                          const std::string& source, const std::string& queue,
                          const std::optional<Cluster>& cluster, bool dry_run, const JobOwner& owner,
                          const AddedJobsRules& rules) {
  const Time now = now_instant();
  RunRequest request;
  request.file = source;
  request.queue = queue;
  request.run = head.name;
  request.tagged = tagged_text(head.name, head.began);
  request.slowstart = rules.slowstart;
  request.most_bytes = rules.most_bytes;
  request.account = owner.account ? owner.account->name : submitting_user();
  for (const Job& job : jobs.jobs) {
    if (owner.account && !job.user.empty() && job.user != owner.account->name)
      throw InputError({source}, fmt::format("job '{}' is of user '{}', and the token of {}", job.id,
                                             harmless(job.user), owner.account->name));
  }
  const RunBatch more = prepare_added(std::move(jobs), request, cluster);
  check_programs(more, source, owner.account.has_value());
  if (rules.queues != nullptr) check_queues(more, source, *rules.queues);
  if (rules.access != nullptr)
    check_access(more, source, *rules.access,
                 owner.account ? Submitter{.account = owner.account->name} : rules.submitter);
  AddedToBatch added{live_jobs(more, request, now, nullptr), run_document(more, request, std::nullopt)};
  for (LiveJob& job : added.jobs) {
    if (owner.account) job.account = owner.account->name;
    if (owner.account) job.directory = owner.account->home;
    if (owner.rules != nullptr)
      job.seal = owner.rules->seal(
          {.folder = {}, .directory = job.directory, .tag = job.tag, .machine = {}, .account = job.account},
          job.command.words());
  }
  if (rules.prepare) rules.prepare(more.ordered, added.jobs);
  if (dry_run) return added;
  try {
    batches.add(head.name, added.jobs, now, rules.led_by);
  } catch (const UsageError& error) {  // as of an id that is taken
    throw InputError({source}, error.problem(), error.remedy());
  }
  added.document["submitted"] = added.jobs.size();
  return added;
}

}  // namespace wavewright::app
