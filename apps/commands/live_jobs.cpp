// `wavewright hold`, `release`, `cancel`: jobs of a batch that runs.
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/batch_desk.h"
#include "apps/commands/live_view.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"

namespace wavewright::app {

namespace {

struct Options {
  std::vector<std::string> jobs;
  DeskOptions desk;
};

int ask_for(const Context& context, const Options& options, Wish wish, const char* done) {
  const std::unique_ptr<BatchDesk> desk = open_desk(context, options.desk);
  const LiveBatch batch = desk->read();
  std::vector<const LiveJob*> chosen;
  for (const std::string& id : options.jobs) {  // all are checked before one is asked for
    const LiveJob& job = find_job(batch, id);
    if (const std::string why = refusal_of(wish, job.state); !why.empty())
      throw Infeasible(fmt::format("job '{}': {}", id, why));
    chosen.push_back(&job);
  }
  Json asked = Json::array();
  for (const LiveJob* job : chosen) {
    desk->wish(job->id, wish);
    asked.push_back(job->id);
    if (!context.json) std::cout << fmt::format("{} will be {}\n", harmless(job->id), done);
  }
  if (context.json) context.print({{"run", batch.name}, {"asked", asked}, {"wish", done}});
  return 0;
}

void add(CLI::App& root, Context& context, const char* name, const char* what, Wish wish, const char* done) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand(name, what);
  command->footer(fmt::format("Example: wavewright {} nightly-etl", name));
  command->add_option("JOB", options->jobs, "ids of jobs")->required();
  options->desk.declare(*command, "their batch");
  command->callback([&context, options, wish, done] {
    options->desk.parsed();
    context.run = [&context, options, wish, done] { return ask_for(context, *options, wish, done); };
  });
}

}  // namespace

void add_live_jobs(CLI::App& root, Context& context) {
  add(root, context, "hold", "Keep jobs of a batch that runs from being submitted", Wish::hold, "held");
  add(root, context, "release", "Let held jobs go on", Wish::release, "released");
  add(root, context, "cancel", "Take jobs out of a batch that runs; end what is on the cluster", Wish::cancel,
      "cancelled");
}

}  // namespace wavewright::app
