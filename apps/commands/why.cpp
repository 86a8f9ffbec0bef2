// `wavewright why`: why a job of a live batch is where it is, and what to do next.
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/batch_desk.h"
#include "apps/commands/live_commands.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/live/outlook/outlook_document.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string job;
  DeskOptions desk;
  ClusterPlace place;
};

void print(const Json& why) {
  const auto text = [&](const char* field) { return harmless(why.at(field).get<std::string>()); };
  std::cout << fmt::format("{}: {}\n{}\n", text("job"), text("code"), text("sentence"));
  if (const std::string yarn = text("yarn"); !yarn.empty()) std::cout << "YARN says: " << yarn << '\n';
  if (!why.at("record").is_null() && !why.at("end").is_null()) {
    const TrackRecord record = record_from_document(why.at("record"));
    if (const std::string told = record_text(record); !told.empty())
      std::cout << "such estimates: " << told << '\n';
    if (const std::string told = change_text(record); !told.empty())
      std::cout << "WARNING: the job has changed: " << harmless(told) << '\n';
  }
  std::cout << "next: " << text("next") << '\n';
}

int why_command(const Context& context, const Options& options) {
  ClusterPlace place = options.place;
  place.ca_file = options.desk.ca_file;
  const Json why = open_desk(context, options.desk)->why(options.job, place);
  if (context.json) {
    context.print(why);
  } else {
    print(why);
  }
  return 0;
}

}  // namespace

void add_why(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("why", "Say why a job of a live batch waits, and what to do next");
  command->footer("Example: wavewright why nightly-etl");
  command->add_option("JOB", options->job, "id of a job")->required();
  options->desk.declare(*command, "its batch");
  options->place.declare(*command, "what containers jobs ask for");
  command->callback([&context, options] {
    options->desk.parsed();
    context.run = [&context, options] { return why_command(context, *options); };
  });
}

}  // namespace wavewright::app
