#include "apps/commands/run_options.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/policies.h"
#include "apps/settings/fill_options.h"
#include "apps/spread_options.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"

namespace wavewright::app {

namespace {

// `night-2026-11-23-2200` for night.jsonl.
std::string name_of_run(const std::string& file) {
  std::string name = file == "-" ? "batch" : std::filesystem::path(file).stem().string();
  name += "-";
  for (const char c : format_instant(now_instant())) {
    if (c != ':') name += c == ' ' ? '-' : c;
  }
  return name;
}

}  // namespace

void RunOptions::require_resource_manager() const {
  if (!live.resource_manager.empty()) return;
  throw UsageError("no ResourceManager is named",
                   "name its web address with --resource-manager URL, once for all with 'wavewright config "
                   "set resource_manager URL', or add --dry-run to submit nothing");
}

void RunOptions::settle() {
  live.most_at_once = static_cast<std::size_t>(most_at_once);
  live.submit_at_once = static_cast<std::size_t>(submit_at_once);
  if (!resume.empty()) {
    if (!request.file.empty() || dry_run || !rent.empty())
      throw UsageError("--continue takes up a batch as it is",
                       "leave out the file, --dry-run and --rent; its machines are given back at its end");
    return require_resource_manager();
  }
  if (request.file.empty())
    throw UsageError("no workload file is named", "as in 'wavewright run night.jsonl --dry-run'");
  if (!dry_run) {
    require_resource_manager();
    if (request.run.empty()) request.run = name_of_run(request.file);
  } else if (request.run.empty()) {
    request.run = "dry-run";
  }
  if (!slowstart.empty()) request.slowstart = parse_part(slowstart, "--slowstart");
  if (!ordering.when.empty() && !request.plan.empty())
    throw UsageError("--when orders the jobs while they wait, and --plan says their order",
                     "leave one of them out");
  if (!ordering.when.empty() && priorities)
    throw UsageError("--when orders the jobs while they wait, when their priorities are set already",
                     "leave out --when or --priorities");
  if (!replan) return;
  if (request.plan.empty())
    throw UsageError("--replan orders jobs anew that have the order of a plan, and there is none",
                     "name it with --plan FILE, or order the jobs while they wait, with --when");
  if (cluster.empty())
    throw UsageError("--replan needs the cluster file, for the sizes of both stages", "add --cluster FILE");
  if (priorities)
    throw UsageError("--replan orders jobs anew when their priorities are set already",
                     "leave out --replan or --priorities");
}

void RunOptions::refuse_beside_daemon() const {
  const std::pair<const char*, bool> flags[] = {{"--plan", !request.plan.empty()},
                                                {"--continue", !resume.empty()},
                                                {"--dry-run", dry_run},
                                                {"--pools-under", !pools.parent.empty()},
                                                {"--priorities", priorities},
                                                {"--slowstart", !slowstart.empty()},
                                                {"--submission-time", !submission_time.empty()},
                                                {"--submit-at-once", submit_at_once != 1},
                                                {"--at-once", most_at_once != 0},
                                                {"--targets", !live.targets.empty()},
                                                {"--rent", !rent.empty()},
                                                {"--replan", replan},
                                                {"--when", !ordering.when.empty()}};
  for (const auto& [flag, given] : flags) {
    if (given)
      throw UsageError(
          fmt::format("{} has no meaning with --daemon, which runs the jobs in its own way", flag),
          "leave one of them out");
  }
}

void RunOptions::declare(CLI::App& command) {
  command.add_option("WORKLOAD", request.file,
                     "workload file whose jobs have commands (docs/use/run.md); - = standard input");
  command.add_flag(
      "--dry-run", dry_run,
      "submit nothing: say what would be submitted, what to expect of it, and what would be refused");
  command.add_option("--plan", request.plan, "submit in this plan's order")->type_name("FILE");
  from_setting(command
                   .add_option("--cluster", cluster,
                               "cluster file: simulate the batch on it, and check the jobs' queues")
                   ->type_name("FILE"),
               "cluster");
  auto* scheduler = command.add_option(
      "--policy", policy,
      "the cluster's own scheduler (default: fair if its queues have weights, else capacity)");
  from_setting(offer_names(scheduler->type_name("SPEC"), command_policies().entries()), "policy");
  ordering.when.clear();
  ordering.declare(command, "none: the order of the file or plan");
  command.add_flag("--replan", replan,
                   "with --plan: when a job's tasks take longer or shorter than expected, order those jobs "
                   "anew that have no task yet, by --engine, for the plan's objective");
  command.add_option("--queue", request.queue, "queue of jobs that name none")->type_name("NAME");
  command
      .add_option("--run", request.run,
                  "name of the batch, part of every tag (default: the file's name and the time)")
      ->type_name("NAME");
  declare_live(command, live, most_at_once);
  declare_pools(command, pools);
  command
      .add_option("--rent", rent,
                  "rent the machines of this order file first, and give them back at the end "
                  "(docs/use/machines.md)")
      ->type_name("FILE");
  command.add_flag("--priorities", priorities,
                   "give the jobs application priorities that fall along their order");
  command
      .add_option("--slowstart", slowstart,
                  "part of a job's maps that must be done before its reduces start (default: the cluster's)")
      ->type_name("SHARE");
  command
      .add_option("--submission-time", submission_time,
                  "from the start of a job's command until YARN has it, for what is expected (default: as in "
                  "earlier batches of the store)")
      ->type_name("TIME");
  command
      .add_option("--submit-at-once", submit_at_once,
                  "jobs whose commands may be on their way to YARN at the same time (default: 1)")
      ->type_name("N")
      ->check(whole_number(1));
  command
      .add_option("--daemon", desk.daemon,
                  "give the jobs to this 'wavewright serve', in the order of the file, and follow them until "
                  "all have ended (the setting 'daemon' alone does not)")
      ->type_name("URL");
  from_setting(command
                   .add_option("--token-file", desk.token_file,
                               "with --daemon: file with the token (default: as in 'wavewright submit')")
                   ->type_name("FILE"),
               "token_file");
  command.add_option("--continue", resume, "take up this batch, which was interrupted")->type_name("NAME");
  command.add_flag(
      "--no-check", live.no_check,
      "do not compare at the end what was promised with what happened (wavewright night --check)");
  listing.declare(command);
}

}  // namespace wavewright::app
