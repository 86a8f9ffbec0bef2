// `wavewright workload deadlines FILE`: draws a deadline for each job.
#include <array>
#include <memory>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/workload.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/worlds/draw_deadlines.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/parameters.h"
#include "wavewright/job/workload_file.h"

namespace wavewright::app {

namespace {

struct DeadlineFlags {
  std::string file, out;
  std::string factor = "1..3";
  std::string alone = "simulated";
  std::string boot = "0s";
  SlotPool slots;
};

const std::vector<std::string> ways = {"simulated", "low", "average", "up"};

// `1..3`, or one number for both.
void read_factor(const std::string& text, DeadlineDraw& draw) {
  const auto dots = text.find("..");
  const auto least = finite_number(text.substr(0, dots));
  const auto most = dots == std::string::npos ? least : finite_number(text.substr(dots + 2));
  if (!least || !most || *least < 0 || *most < *least)
    throw UsageError("--factor '" + text + "' is no range of numbers from 0", "give one like 1..3");
  draw.least = *least;
  draw.most = *most;
}

std::optional<TimeModel> read_way(const std::string& text) {
  if (text == "simulated") return std::nullopt;
  if (text == "low") return TimeModel::low;
  if (text == "average") return TimeModel::bounds;
  if (text == "up") return TimeModel::up;
  throw UsageError("unknown way '" + text + "' to find the time of a job alone", suggestion(text, ways));
}

DeadlineDraw draw_of(const Context& context, const DeadlineFlags& flags) {
  DeadlineDraw draw;
  read_factor(flags.factor, draw);
  draw.estimator = read_way(flags.alone);
  draw.slots = flags.slots;
  draw.boot = parse_duration(flags.boot);
  draw.seed = context.seed;
  return draw;
}

int draw(const Context& context, const DeadlineFlags& flags) {
  const DeadlineDraw how = draw_of(context, flags);
  check_outputs({flags.out}, {flags.file});
  WorkloadReadOptions options;
  options.seed = context.seed;
  options.warn = [&](const std::string& warning) { context.note(warning); };
  Workload workload = read_workload(flags.file, options);
  const auto had = std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                 [](const Job& job) { return job.deadline.has_value(); });
  draw_deadlines(workload, how);
  write_out(context, workload, flags.out);
  if (context.json) {
    Json document = {{"out", flags.out}};
    document.update(counts_of(workload));
    document["replaced"] = had;
    document["least_factor"] = how.least;
    document["most_factor"] = how.most;
    document["alone"] = flags.alone;
    document["map_slots"] = how.slots.map_slots > 0 ? Json(how.slots.map_slots) : Json();
    document["reduce_slots"] = how.slots.reduce_slots > 0 ? Json(how.slots.reduce_slots) : Json();
    document["boot_ms"] = to_ms(how.boot);
    document["seed"] = how.seed;
    context.print(document);
    return 0;
  }
  context.note(fmt::format("{} deadlines drawn, seed {}", workload.jobs.size(), how.seed) +
               (had > 0 ? fmt::format("; {} replaced", had) : ""));
  return 0;
}

}  // namespace

void add_workload_deadlines(CLI::App& workload, Context& context) {
  auto flags = std::make_shared<DeadlineFlags>();
  CLI::App* command = workload.add_subcommand("deadlines", "Draw a deadline for each job");
  command->footer(
      "Example: wavewright workload deadlines night.jsonl --factor 1..3 --out due.jsonl\n"
      "A deadline is the submission + a factor times (the job's time alone + --boot).");
  command->add_option("file", flags->file, "workload file; - for standard input")
      ->type_name("FILE")
      ->required();
  command->add_option("--factor", flags->factor, "range from which each job's factor is drawn, or one number")
      ->type_name("A..B")
      ->capture_default_str();
  command
      ->add_option("--map-slots", flags->slots.map_slots,
                   "that the job has alone (default: one for each map)")
      ->type_name("M")
      ->check(whole_number(1, most_tasks_of_job));
  command
      ->add_option("--reduce-slots", flags->slots.reduce_slots,
                   "that the job has alone (default: one for each reduce)")
      ->type_name("R")
      ->check(whole_number(1, most_tasks_of_job));
  offer(command->add_option("--alone", flags->alone,
                            "how that time is found: simulated, or a bound: low, average, up"),
        ways)
      ->type_name("HOW")
      ->capture_default_str();
  command->add_option("--boot", flags->boot, "added to that time: in it machines boot")
      ->type_name("DURATION")
      ->capture_default_str();
  command->add_option("--out", flags->out, "file to write (default: standard output)")->type_name("FILE");
  command->callback([flags, &context] { context.run = [flags, &context] { return draw(context, *flags); }; });
}

}  // namespace wavewright::app
