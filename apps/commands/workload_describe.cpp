// `wavewright workload describe FILE`: sizes, work, durations, arrivals, load.
#include <cmath>
#include <iostream>
#include <memory>

#include "apps/commands/job_reader.h"
#include "apps/commands/workload.h"
#include "apps/settings/fill_options.h"
#include "wavewright/core/error.h"
#include "wavewright/job/summary.h"
#include "wavewright/job/workload_file.h"

namespace wavewright::app {

namespace {

struct DescribeFlags {
  std::string file;
  Count map_slots = 0, reduce_slots = 0;
};

Json json_of(const StageSummary& stage) {
  Json quantiles = Json::array();
  for (const Duration q : stage.quantiles) quantiles.push_back(to_ms(q));
  return {{"tasks", stage.tasks},
          {"jobs", stage.jobs},
          {"work_ms", to_ms(stage.work)},
          {"quantiles_ms", quantiles}};
}

Json json_of(const WorkloadSummary& summary, const DescribeFlags& flags) {
  Json biggest = Json::array();
  for (const JobSize& job : summary.biggest) {
    biggest.push_back({{"id", job.id},
                       {"name", job.name},
                       {"maps", job.maps},
                       {"reduces", job.reduces},
                       {"work_ms", to_ms(job.work)}});
  }
  Json sizes = Json::array();
  for (const SizeBin& bin : summary.sizes) {
    sizes.push_back({{"tasks_from", bin.from}, {"tasks_to", bin.to}, {"jobs", bin.jobs}});
  }
  Json document = {{"jobs", summary.jobs},
                   {"map", json_of(summary.maps)},
                   {"first_shuffle", json_of(summary.first_shuffle)},
                   {"shuffle", json_of(summary.shuffle)},
                   {"reduce", json_of(summary.reduces)},
                   {"first_submit_ms", to_ms(summary.first_submit)},
                   {"last_submit_ms", to_ms(summary.last_submit)},
                   {"jobs_with_deadline", summary.with_deadline},
                   {"jobs_with_after", summary.with_after},
                   {"biggest", biggest},
                   {"sizes", sizes}};
  const auto map_load = summary.offered_map_load(flags.map_slots);
  const auto reduce_load = summary.offered_reduce_load(flags.reduce_slots);
  if (flags.map_slots > 0) document["map_slots"] = flags.map_slots;
  if (flags.reduce_slots > 0) document["reduce_slots"] = flags.reduce_slots;
  document["offered_map_load"] = map_load ? Json(*map_load) : Json();
  document["offered_reduce_load"] = reduce_load ? Json(*reduce_load) : Json();
  return document;
}

void print_stage(const char* name, const StageSummary& stage) {
  if (stage.tasks == 0) return;
  std::cout << fmt::format("{:<14}{:>10}{:>9}{:>11}", name, stage.tasks, stage.jobs,
                           format_duration(stage.work));
  for (const Duration q : stage.quantiles) std::cout << fmt::format("{:>9}", format_duration(q));
  std::cout << '\n';
}

// A bar of at most `width` cells, in eighths, so that a small share stays visible.
std::string bar(Count value, Count most, int width) {
  static constexpr std::array<const char*, 8> parts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto eighths =
      static_cast<int>(std::ceil(static_cast<double>(value) / static_cast<double>(most) * width * 8));
  std::string text;
  for (; eighths >= 8; eighths -= 8) text += "█";
  return text + parts.at(static_cast<std::size_t>(eighths));
}

// Histories may hold any text; a table row must stay one row.
std::string shortened(std::string text, std::size_t width) {
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  if (text.size() <= width) return text;
  while (width > 1 && (static_cast<unsigned char>(text[width - 1]) & 0xC0) == 0x80) --width;
  return text.substr(0, width - 1) + "…";
}

void print_load(const char* kind, Duration work, Count slots, std::optional<double> load) {
  if (slots <= 0) return;
  std::cout << fmt::format("{} on {} slots: at least {}", kind, slots,
                           format_duration(work / slots + ms(to_ms(work) % slots > 0 ? 1 : 0)));
  if (load) std::cout << fmt::format(", offered load {:.2f}{}", *load, *load > 1 ? " (the queue grows)" : "");
  std::cout << '\n';
}

void print(const WorkloadSummary& summary, const DescribeFlags& flags) {
  const Duration span = summary.last_submit - summary.first_submit;
  std::cout << fmt::format("{} jobs, submitted {}", summary.jobs,
                           span > Duration{} ? "over " + format_duration(span) : "all at once");
  if (summary.with_deadline > 0) std::cout << fmt::format(", {} with a deadline", summary.with_deadline);
  if (summary.with_after > 0) std::cout << fmt::format(", {} that wait for others", summary.with_after);
  std::cout << fmt::format("\n\n{:<14}{:>10}{:>9}{:>11}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "", "tasks", "jobs",
                           "work", "min", "25 %", "median", "75 %", "max");
  print_stage("map", summary.maps);
  print_stage("first shuffle", summary.first_shuffle);
  print_stage("shuffle", summary.shuffle);
  print_stage("reduce", summary.reduces);
  if (flags.map_slots > 0 || flags.reduce_slots > 0) std::cout << '\n';
  print_load("maps", summary.maps.work, flags.map_slots, summary.offered_map_load(flags.map_slots));
  print_load("reduces", summary.reduces.work + summary.shuffle.work, flags.reduce_slots,
             summary.offered_reduce_load(flags.reduce_slots));

  std::cout << "\ntasks of a job     jobs\n";
  Count most = 1;
  for (const SizeBin& bin : summary.sizes) most = std::max(most, bin.jobs);
  for (const SizeBin& bin : summary.sizes) {
    const std::string range =
        bin.from == bin.to ? fmt::format("{}", bin.from) : fmt::format("{}–{}", bin.from, bin.to);
    std::cout << fmt::format("{:>14}{:>9}  {}\n", range, bin.jobs, bar(bin.jobs, most, 60));
  }
  std::cout << fmt::format("\n{:<46}{:>10}{:>10}{:>12}\n", "most work", "maps", "reduces", "work");
  for (const JobSize& job : summary.biggest) {
    const std::string label = job.name.empty() ? job.id : job.name + "  " + job.id;
    std::cout << fmt::format("{:<46}{:>10}{:>10}{:>12}\n", shortened(label, 45), job.maps, job.reduces,
                             format_duration(job.work));
  }
}

int describe(const Context& context, const DescribeFlags& flags) {
  if (flags.map_slots < 0 || flags.reduce_slots < 0) {
    throw UsageError("a negative number of slots", "give --map-slots and --reduce-slots from 1");
  }
  WorkloadSummarizer summarizer;
  const WorkloadReadOptions options = JobReader(context).options(context.seed, true);
  read_workload(flags.file, options, [&](const Job& job) { summarizer.add(job); });
  const WorkloadSummary summary = summarizer.finish();
  if (context.json) {
    context.print(json_of(summary, flags));
  } else {
    print(summary, flags);
  }
  return 0;
}

}  // namespace

void add_workload_describe(CLI::App& workload, Context& context) {
  auto flags = std::make_shared<DescribeFlags>();
  CLI::App* command = workload.add_subcommand("describe", "Sum up a workload file");
  command->footer("Example: wavewright workload describe night.jsonl --map-slots 40 --reduce-slots 20");
  command->add_option("file", flags->file, "workload file; - is standard input")->required();
  from_setting(
      command->add_option("--map-slots", flags->map_slots, "to tell the offered load")->type_name("M"),
      "map_slots");
  from_setting(
      command->add_option("--reduce-slots", flags->reduce_slots, "to tell the offered load")->type_name("R"),
      "reduce_slots");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return describe(context, *flags); }; });
}

}  // namespace wavewright::app
