// `wavewright workload convert IN OUT`: converts between the workload file and formats of other programs.
#include <iostream>
#include <memory>

#include "apps/choices.h"
#include "apps/commands/workload.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/history/trace_export.h"
#include "wavewright/history/trace_workload.h"
#include "wavewright/job/alibaba.h"
#include "wavewright/job/format_conversion.h"
#include "wavewright/job/selection.h"
#include "wavewright/job/swf.h"
#include "wavewright/job/swim.h"

namespace wavewright::app {

namespace {

struct ConvertFlags {
  std::string in, out, from, to;
  Count map_slots = 0, reduce_slots = 0;
  std::string block = "64MiB", per_reduce = "1GiB", start = "2s";
  std::string map_rate = "10MB", shuffle_rate = "10MB", reduce_rate = "20MB", write_rate = "20MB";
  Count most_reduces = 999;
  std::string map_durations, reduce_durations;
  bool with_failed = false;
  Count jobs = 0;
  std::string within;
  std::vector<std::string> without;
};

SwimModel swim_model(const Context& context, const ConvertFlags& flags) {
  SwimModel model;
  model.block = parse_bytes(flags.block);
  model.per_reduce = parse_bytes(flags.per_reduce);
  model.most_reduces = flags.most_reduces;
  model.start = parse_duration(flags.start);
  model.map_rate = parse_bytes(flags.map_rate);
  model.shuffle_rate = parse_bytes(flags.shuffle_rate);
  model.reduce_rate = parse_bytes(flags.reduce_rate);
  model.write_rate = parse_bytes(flags.write_rate);
  if (!flags.map_durations.empty()) model.map_durations = parse_distribution(flags.map_durations);
  if (!flags.reduce_durations.empty()) model.reduce_durations = parse_distribution(flags.reduce_durations);
  model.seed = context.seed;
  return model;
}

Conversion read_jsonl(const Context& context, const std::string& path) {
  Conversion result;
  WorkloadReadOptions options;
  options.seed = context.seed;
  options.warn = [&](const std::string& warning) { context.note(warning); };
  result.workload = read_workload(path, options);
  result.kept.push_back(fmt::format("{} jobs with all their fields", result.workload.jobs.size()));
  return result;
}

Conversion read_as(const Context& context, const ConvertFlags& flags, WorkloadFormat format) {
  switch (format) {
    case WorkloadFormat::jsonl:
      return read_jsonl(context, flags.in);
    case WorkloadFormat::text:
      return read_text(flags.in);
    case WorkloadFormat::short_text:
      return read_short_text(flags.in);
    case WorkloadFormat::swim:
      return read_swim(flags.in, swim_model(context, flags));
    case WorkloadFormat::swf:
      return read_swf(flags.in, {flags.with_failed});
    case WorkloadFormat::alibaba:
      return read_alibaba(flags.in);
    case WorkloadFormat::rumen:
    case WorkloadFormat::sls:
    case WorkloadFormat::synth:
      return read_trace_workload(flags.in, format);
  }
  throw InternalError("a workload format that nothing reads");
}

JobSelection selection_of(const ConvertFlags& flags) {
  JobSelection selection;
  if (flags.jobs > 0) selection.first = flags.jobs;
  if (!flags.within.empty()) selection.within = parse_duration(flags.within);
  selection.without = flags.without;
  return selection;
}

void select(const JobSelection& selection, Conversion& conversion) {
  if (selection.takes_all()) return;
  const auto before = conversion.workload.jobs.size();
  conversion.workload = select_jobs(std::move(conversion.workload), selection);
  conversion.dropped.push_back(fmt::format("{} of {} jobs, which were not selected",
                                           before - conversion.workload.jobs.size(), before));
}

// JSON traces are recognised by their contents, other formats by their first lines.
WorkloadFormat input_format(const ConvertFlags& flags) {
  if (!flags.from.empty()) return parse_workload_format(flags.from);
  if (flags.in != "-") {
    if (const auto trace = trace_format(read_start(flags.in, 4096))) return *trace;
  }
  return detect_format(flags.in);
}

WorkloadFormat output_format(const ConvertFlags& flags) {
  if (!flags.to.empty()) return parse_workload_format(flags.to);
  if (flags.out.ends_with(".swf")) return WorkloadFormat::swf;
  return flags.out.ends_with(".txt") ? WorkloadFormat::text : WorkloadFormat::jsonl;
}

TextWriter text_header(const ConvertFlags& flags, const Conversion& conversion) {
  const TextWriter header{flags.map_slots > 0 ? flags.map_slots : conversion.map_slots,
                          flags.reduce_slots > 0 ? flags.reduce_slots : conversion.reduce_slots};
  if (header.map_slots < 1 || header.reduce_slots < 1) {
    throw UsageError("the text formats name the slots in their first line",
                     "give --map-slots and --reduce-slots");
  }
  return header;
}

ExportReport write_stream(std::ostream& out, const ConvertFlags& flags, WorkloadFormat format,
                          const Conversion& conversion) {
  const Workload& workload = conversion.workload;
  switch (format) {
    case WorkloadFormat::text:
      return {{}, write_text(out, workload, text_header(flags, conversion)), {}};
    case WorkloadFormat::short_text:
      return {{}, write_short_text(out, workload, text_header(flags, conversion)), {}};
    case WorkloadFormat::swf:
      return write_swf(out, nullptr, workload);
    case WorkloadFormat::rumen:
      return write_rumen(out, workload);
    case WorkloadFormat::sls:
      return write_sls(out, workload);
    case WorkloadFormat::jsonl:
    case WorkloadFormat::swim:
    case WorkloadFormat::alibaba:
    case WorkloadFormat::synth:
      break;
  }
  throw UsageError(to_string(format) + " is read, not written",
                   "write jsonl, text, short-text, swf, rumen or sls");
}

// The table and its sidecar appear together or not at all.
ExportReport write_swf_files(const std::string& path, const Workload& workload) {
  ExportReport report;
  write_file(path, [&](std::ostream& table) {
    write_file(swf_sidecar(path),
               [&](std::ostream& sidecar) { report = write_swf(table, &sidecar, workload); });
  });
  report.kept.push_back("the sidecar is " + swf_sidecar(path).string());
  return report;
}

// Writes the result and adds the report of the output format; a workload file keeps everything.
void write_as(const Context& context, const ConvertFlags& flags, WorkloadFormat from, WorkloadFormat format,
              Conversion& conversion) {
  if (format == WorkloadFormat::jsonl) {
    write_out(context, conversion.workload, flags.out);
    return;
  }
  ExportReport report;
  if (flags.out == "-") {
    if (context.json) throw UsageError("with --json the workload itself needs a file", "name one as OUT");
    report = write_stream(std::cout, flags, format, conversion);
  } else if (format == WorkloadFormat::swf) {
    report = write_swf_files(flags.out, conversion.workload);
  } else {
    write_file(flags.out, [&](std::ostream& out) { report = write_stream(out, flags, format, conversion); });
  }
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  if (from == WorkloadFormat::jsonl && !report.kept.empty()) conversion.kept.clear();
  append(conversion.kept, report.kept);
  append(conversion.dropped, report.dropped);
  append(conversion.imputed, report.imputed);
}

int convert(const Context& context, const ConvertFlags& flags) {
  const WorkloadFormat from = input_format(flags);
  const WorkloadFormat to = output_format(flags);
  const JobSelection selection = selection_of(flags);
  Conversion conversion = read_as(context, flags, from);
  select(selection, conversion);
  write_as(context, flags, from, to, conversion);
  if (context.json) {
    Json document = {{"from", to_string(from)}, {"to", to_string(to)}, {"out", flags.out}};
    document.update(counts_of(conversion.workload));
    document["dropped_rows"] = conversion.dropped_rows;
    document["kept"] = conversion.kept;
    document["dropped"] = conversion.dropped;
    document["imputed"] = conversion.imputed;
    if (conversion.map_slots + conversion.reduce_slots > 0) {
      document["map_slots"] = conversion.map_slots;
      document["reduce_slots"] = conversion.reduce_slots;
    }
    context.print(document);
    return 0;
  }
  context.note(fmt::format("{} → {}", to_string(from), to_string(to)));
  for (const std::string& each : conversion.kept) context.note("  kept     " + each);
  for (const std::string& each : conversion.dropped) context.note("  dropped  " + each);
  for (const std::string& each : conversion.imputed) context.note("  imputed  " + each);
  return 0;
}

std::vector<std::string> input_formats() {
  std::vector<std::string> names = CLI::detail::split(workload_format_names(), ',');
  for (std::string& name : names) CLI::detail::trim(name);
  return names;
}

}  // namespace

void add_workload_convert(CLI::App& workload, Context& context) {
  auto flags = std::make_shared<ConvertFlags>();
  CLI::App* command =
      workload.add_subcommand("convert", "Convert between the workload file and other formats");
  command->footer(
      "Example: wavewright workload convert FB-2009.tsv facebook.jsonl\n"
      "Example: wavewright workload convert FB-2009.tsv w1.jsonl --jobs 1000 --without job969\n"
      "Example: wavewright workload convert night.jsonl night.swf\n"
      "Example: wavewright workload convert night.jsonl night.json --to rumen\n"
      "Example: wavewright workload convert syn.json synthetic.jsonl\n"
      "A synthetic workload of Hadoop's load simulator (synth) is drawn by its own rand_seed.");
  command->add_option("in", flags->in, "file to read; its format is seen from its content")->required();
  command
      ->add_option("out", flags->out,
                   "file to write; .txt is text, .swf swf, anything else jsonl; - is standard output")
      ->required();
  auto* from = command->add_option("--from", flags->from, workload_format_names())->type_name("FORMAT");
  offer(from, input_formats());
  auto* to = command->add_option("--to", flags->to, "jsonl, text, short-text, swf, rumen or sls");
  offer(to->type_name("FORMAT"), {"jsonl", "text", "short-text", "swf", "rumen", "sls"});
  command->add_option("--map-slots", flags->map_slots, "for a text's first line")->type_name("M");
  command->add_option("--reduce-slots", flags->reduce_slots, "for a text's first line")->type_name("R");
  const auto selects = [&](CLI::Option* option, const char* type) {
    option->type_name(type)->group("Jobs to take");
  };
  selects(command->add_option("--jobs", flags->jobs, "the first so many by submission")
              ->check(whole_number(1, most_tasks_of_job)),
          "N");
  selects(command->add_option("--within", flags->within, "submitted less than this after the first"),
          "DURATION");
  selects(command->add_option("--without", flags->without, "leave these out of them")->delimiter(','),
          "ID,..");
  command
      ->add_flag("--with-failed", flags->with_failed,
                 "take failed and cancelled jobs too, as long as they ran")
      ->group("SWF tables");
  const auto swim = [&](const char* name, std::string& value, const char* help, const char* type) {
    command->add_option(name, value, help)->type_name(type)->capture_default_str()->group("SWIM tables");
  };
  swim("--block", flags->block, "input of a map", "BYTES");
  swim("--bytes-per-reduce", flags->per_reduce, "shuffle of a reduce", "BYTES");
  command->add_option("--most-reduces", flags->most_reduces, "of a job")
      ->type_name("N")
      ->capture_default_str()
      ->group("SWIM tables");
  swim("--task-start", flags->start, "start of every task", "DURATION");
  swim("--map-rate", flags->map_rate, "bytes a second that a map reads", "BYTES");
  swim("--shuffle-rate", flags->shuffle_rate, "bytes a second that a reduce fetches", "BYTES");
  swim("--reduce-rate", flags->reduce_rate, "bytes a second that a reduce works on", "BYTES");
  swim("--write-rate", flags->write_rate, "bytes a second written", "BYTES");
  swim("--map-durations", flags->map_durations, "draw maps instead, like lognormal(9.9511,1.6764)", "DIST");
  swim("--reduce-durations", flags->reduce_durations, "draw reduces instead", "DIST");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return convert(context, *flags); }; });
}

}  // namespace wavewright::app
