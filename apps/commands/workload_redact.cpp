// `wavewright workload redact FILE`: anonymises a trace for sharing.
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/workload.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/job/redact.h"
#include "wavewright/job/workload_file.h"

namespace wavewright::app {

namespace {

struct RedactFlags {
  std::string file;
  std::string out;
  std::string map;
};

constexpr std::size_t largest_map = std::size_t{1} << 30;

Pseudonyms known_pseudonyms(const std::string& map) {
  std::error_code error;
  if (map.empty() || !std::filesystem::exists(map, error)) return {};
  if (!std::filesystem::is_regular_file(map, error)) {  // reading a pipe could block forever
    throw UsageError("--map '" + map + "' is not a file", "name a file, which will be kept");
  }
  return Pseudonyms::from_json(read_file(map, largest_map), map);
}

int redact_file(const Context& context, const RedactFlags& flags) {
  check_outputs({flags.out, flags.map}, {flags.file});
  Pseudonyms pseudonyms = known_pseudonyms(flags.map);
  WorkloadReadOptions options;
  options.seed = context.seed;
  std::size_t dropped = 0;
  options.warn = [&](const std::string&) { ++dropped; };
  Workload workload;
  read_workload(flags.file, options, [&](Job&& job) {
    redact(job, pseudonyms);
    workload.jobs.push_back(std::move(job));
  });
  // The map first: without it names could never be restored.
  if (!flags.map.empty()) {
    write_file(flags.map, [&](std::ostream& out) { out << pseudonyms.to_json(); }, FileReaders::owner);
  }
  write_out(context, workload, flags.out);
  if (context.json) {
    Json document = {{"out", flags.out}, {"map", flags.map.empty() ? Json() : Json(flags.map)}};
    document.update(counts_of(workload));
    for (const char* kind : {"name", "user", "queue", "node"}) {
      document[std::string(kind) + "s"] = pseudonyms.names(kind);
    }
    document["dropped_fields"] = dropped;
    context.print(document);
    return 0;
  }
  context.note(
      fmt::format("{} jobs; replaced {} names, {} users, {} queues, {} nodes; dropped {} unknown fields",
                  workload.jobs.size(), pseudonyms.names("name"), pseudonyms.names("user"),
                  pseudonyms.names("queue"), pseudonyms.names("node"), dropped));
  if (!flags.map.empty()) context.note("keep " + flags.map + " to yourself: it leads back to the names");
  return 0;
}

}  // namespace

void add_workload_redact(CLI::App& workload, Context& context) {
  auto flags = std::make_shared<RedactFlags>();
  CLI::App* command = workload.add_subcommand(
      "redact", "Replace names, users, queues and hosts, so that a trace can be shared");
  command->footer("Example: wavewright workload redact night.jsonl --out shared.jsonl --map private.json");
  command->add_option("file", flags->file, "workload file; - for standard input")
      ->type_name("FILE")
      ->required();
  command->add_option("--out", flags->out, "file to write (default: standard output)")->type_name("FILE");
  command
      ->add_option("--map", flags->map,
                   "which word stands for which name; read where it is there, so that several files agree")
      ->type_name("FILE");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return redact_file(context, *flags); }; });
}

}  // namespace wavewright::app
