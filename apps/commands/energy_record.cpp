// `wavewright energy record [-- COMMAND…]`: samples of the machine's meters while a command runs.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/energy_commands.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/csv.h"
#include "wavewright/core/error.h"
#include "wavewright/core/program_beside.h"
#include "wavewright/core/spec.h"
#include "wavewright/core/when.h"
#include "wavewright/energy/meters/declared_meter.h"
#include "wavewright/energy/meters/node_energy.h"
#include "wavewright/energy/meters/open_meters.h"
#include "wavewright/energy/meters/recorder.h"
#include "wavewright/energy/meters/sample_file.h"

namespace wavewright::app {

namespace {

using Clock = std::chrono::steady_clock;

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "node";
  return name.data();
}

struct RecordFlags {
  std::vector<std::string> meters, command;
  std::string interval = "1s", length, output, node = host_name();
  std::string powercap, nvml, proc;
};

// A file of samples must give the name back as it is.
void check_node(const std::string& node) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  const bool whole = !node.empty() && node.front() != ' ' && node.back() != ' ' && csv_field(node) == node &&
                     node.find('"') == std::string::npos && std::none_of(node.begin(), node.end(), control);
  if (whole) return;
  throw UsageError(fmt::format("--node '{}' cannot stand in a file of samples", shortened(node)),
                   "give the name that the histories have, without commas, quotes and control characters");
}

// Rows of equal sources could not be told apart.
void check_distinct(const std::vector<std::unique_ptr<Meter>>& meters) {
  std::set<std::string> names;
  for (const auto& meter : meters) {
    for (const MeterSource& source : meter->sources()) {
      if (names.insert(source.name).second) continue;
      throw UsageError(fmt::format("--meter: two meters measure {}", source.name),
                       "name each meter once, and one wall plug at most");
    }
  }
}

// Declared power stands in for a meter of the processors. Beside one, they would count twice.
void check_declared(const std::vector<std::unique_ptr<Meter>>& meters) {
  std::string declared, measured;
  for (const auto& meter : meters) {
    const std::string& name = meter->sources().front().name;
    if (declared.empty() && name.starts_with(declared_prefix)) {
      declared = name;
    } else if (!name.starts_with("nvml/")) {
      measured = name;
    }
  }
  if (declared.empty() || measured.empty()) return;
  throw UsageError(
      fmt::format("--meter: {} stands in for a meter, and {} counts the same", declared, measured),
      "leave out one of them; nvml may stand beside declared power");
}

std::vector<std::unique_ptr<Meter>> open_meters(const RecordFlags& flags, const Context& context) {
  MeterPlaces places = usual_places();
  if (!flags.powercap.empty()) places.powercap = flags.powercap;
  if (!flags.nvml.empty()) places.nvml = flags.nvml;
  if (!flags.proc.empty()) places.proc = flags.proc;
  places.node = flags.node;
  places.since = now_instant();
  std::vector<std::unique_ptr<Meter>> meters;
  std::vector<std::string> absent;
  if (flags.meters.empty()) meters = find_meters(places, absent);
  for (const std::string& name : flags.meters) meters.push_back(open_meter(name, places));
  check_distinct(meters);
  check_declared(meters);
  if (context.verbosity > 0)
    for (const std::string& each : absent) context.note(each);
  return meters;
}

// Reads at the interval until the command or the time ends, or Ctrl-C; once at the beginning and once at the
// end in any case.
class Recording {
 public:
  Recording(const RecordFlags& flags, const Context& context)
      : flags_(flags),
        context_(context),
        interval_(parse_duration(flags.interval)),
        length_(flags.length.empty() ? longest_duration : parse_duration(flags.length)),
        recorder_(open_meters(flags, context), flags.node),
        progress_(context) {
    constexpr Duration least = ms(10), most = ms(3'600'000);
    if (interval_ < least || interval_ > most)
      throw UsageError("--interval is not from 10ms to 1h", "give 1s, or what the meter bears");
    if (!flags.output.empty()) file_ = std::make_unique<SampleFile>(flags.output);
  }

  // The exit status.
  int run() {
    round();
    began_ = Clock::now();
    start_program();
    Clock::time_point next = began_ + interval_;
    while (!over()) {
      const Clock::time_point now = Clock::now();
      if (now < next) {
        constexpr auto look = std::chrono::milliseconds(20);
        std::this_thread::sleep_for(std::min<Clock::duration>(look, next - now));
        continue;
      }
      round();
      show();
      // A round that took too long leaves out those that it overran.
      while (next <= now) next += interval_;
    }
    round();
    took_ = Clock::now() - began_;
    return program_ ? program_->ended().value_or(0) : 0;
  }

  [[nodiscard]] const MeterRecorder& recorder() const { return recorder_; }
  [[nodiscard]] Duration took() const { return std::chrono::duration_cast<Duration>(took_); }

 private:
  void round() {
    if (file_) {
      recorder_.take([&](const std::vector<const SourceSeries*>& series) { file_->add(series); });
    } else {
      recorder_.take();
    }
    for (; told_ < recorder_.failures().size(); ++told_)
      context_.note(recorder_.failures()[told_] + "; the recording goes on");
  }

  void start_program() {
    if (flags_.command.empty()) return;
    try {
      program_ = std::make_unique<ProgramBeside>(flags_.command, context_.json);
    } catch (const Error&) {
      if (file_) file_->discard();
      throw;
    }
  }

  bool over() {
    const Clock::time_point now = Clock::now();
    const bool at_end = std::chrono::duration_cast<Duration>(now - began_) >= length_;
    if (!program_) return context_.interrupted || at_end;
    if (program_->ended()) return true;
    // The terminal's Ctrl-C reached the command, too. One that goes on is asked once more.
    constexpr auto patience = std::chrono::seconds(3);
    if (!asked_ && (context_.interrupted || at_end)) {
      if (!stopping_) stopping_ = now;
      const bool by_time = !context_.interrupted;
      if (by_time || now - *stopping_ >= patience) {
        program_->ask_to_end();
        asked_ = true;
      }
    }
    return false;
  }

  void show() {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_).count();
    progress_.show(fmt::format("{}  {:.1f} W  {} rounds", format_duration(ms(1000 * seconds)),
                               static_cast<double>(recorder_.power()) / 1000, recorder_.rounds()));
  }

  const RecordFlags& flags_;
  const Context& context_;
  Duration interval_, length_;
  MeterRecorder recorder_;
  std::unique_ptr<SampleFile> file_;
  std::unique_ptr<ProgramBeside> program_;
  Progress progress_;
  Clock::time_point began_;
  Clock::duration took_{};
  std::optional<Clock::time_point> stopping_;
  bool asked_ = false;
  std::size_t told_ = 0;  // of the failures of meters
};

struct SourceSum {
  std::string name;
  SpanFindings found;
  MicroJoules energy = 0;
  Duration covered{};
  Count missed = 0;  // rounds in which it could not be read

  [[nodiscard]] double watts() const {
    return covered > ms(0) ? static_cast<double>(energy) / static_cast<double>(to_ms(covered)) / 1000 : 0;
  }
};

SourceSum sum_of(const SourceSeries& series, Count missed) {
  const SourceSpans spans = spans_of(series);
  SourceSum sum{series.source.name, spans.found, 0, {}, missed};
  for (const EnergySpan& each : spans.spans) {
    wavewright::add_energy(sum.energy, each.energy);
    sum.covered += each.to - each.from;
  }
  return sum;
}

Count left_out(const SpanFindings& found) {
  return found.backwards + found.resets + found.ambiguous + found.implausible + found.broken;
}

Json to_json(const SourceSum& sum) {
  const SpanFindings& found = sum.found;
  return {{"source", sum.name},       {"readings", found.readings}, {"covered_ms", to_ms(sum.covered)},
          {"energy_uj", sum.energy},  {"power_w", sum.watts()},     {"wraps", found.wraps},
          {"dropped", found.dropped}, {"missed", sum.missed},       {"left_out", left_out(found)}};
}

void show(const std::vector<SourceSum>& sums, const Recording& recording, const RecordFlags& flags,
          const Context& context) {
  // The command's own output comes first, and stays alone on standard output.
  Table table{{{"source", "source", false, true},
               {"readings", "readings", true, false},
               {"energy_j", "energy J", true, false},
               {"power_w", "mean W", true, false},
               {"wraps", "wraps", true, true},
               {"left_out", "left out", true, false}},
              {}};
  for (const SourceSum& each : sums) {
    const SpanFindings& found = each.found;
    table.rows.push_back({each.name, count_cell(found.readings),
                          fmt::format("{:.3f}", to_joules(each.energy)), fmt::format("{:.2f}", each.watts()),
                          count_cell(found.wraps), count_cell(found.dropped + left_out(found))});
  }
  if (context.verbosity >= 0) write_table(std::cerr, table);
  for (const SourceSum& each : sums) {
    if (each.missed == 0) continue;
    context.note(fmt::format("{} could not be read in {} of {} rounds", each.name, each.missed,
                             recording.recorder().rounds()));
  }
  for (const SourceSum& each : sums) {
    if (each.name.starts_with(declared_prefix))
      context.note(each.name + " is declared power times the use of the processors: nothing was measured");
  }
  context.note(fmt::format("{} measured{}", format_duration(recording.took()),
                           flags.output.empty() ? "" : ", samples in " + flags.output));
}

int run_record(const RecordFlags& flags, const Context& context) {
  check_node(flags.node);
  std::error_code ignored;
  if (!flags.output.empty() && std::filesystem::exists(flags.output, ignored))
    throw UsageError(flags.output + " is there already", "name another file with --output");
  context.ends_itself = true;
  Recording recording(flags, context);
  const int status = recording.run();
  std::vector<SourceSum> sums;
  const MeterRecorder& recorder = recording.recorder();
  sums.reserve(recorder.series().size());
  for (std::size_t s = 0; s < recorder.series().size(); ++s)
    sums.push_back(sum_of(recorder.series()[s], recorder.missed()[s]));
  const bool cut_short = context.interrupted && flags.command.empty() && !flags.length.empty();
  if (context.json) {
    Json json = {{"node", flags.node},
                 {"output", flags.output.empty() ? Json(nullptr) : Json(flags.output)},
                 {"took_ms", to_ms(recording.took())},
                 {"command_status", flags.command.empty() ? Json(nullptr) : Json(status)},
                 {"sources", Json::array()}};
    for (const SourceSum& each : sums) json["sources"].push_back(to_json(each));
    if (cut_short) json["partial"] = true;
    context.print(json);
  } else {
    show(sums, recording, flags, context);
  }
  return cut_short ? static_cast<int>(ExitStatus::interrupted) : status;
}

}  // namespace

void add_energy_record(CLI::App& energy, Context& context) {
  CLI::App* command =
      energy.add_subcommand("record", "Sample the machine's meters while a command runs, or until Ctrl-C");
  command->footer(
      "Example: wavewright energy record --output samples.csv -- hadoop jar job.jar\n"
      "         wavewright energy record --meter declared=cluster.toml:cpu --output samples.csv -- hadoop "
      "jar "
      "job.jar");
  const auto flags = std::make_shared<RecordFlags>();
  offer(command
            ->add_option("--meter", flags->meters,
                         "rapl, nvml, ipmi, csv=FILE of a wall-plug meter, or declared=CLUSTER.toml[:CLASS] "
                         "(rapl and nvml, else ipmi)")
            ->type_name("METER")
            ->allow_extra_args(false),
        {"rapl", "nvml", "ipmi", "csv=", "declared="});
  command->add_option("--interval", flags->interval, "time between readings (1s)")->type_name("TIME");
  command->add_option("--for", flags->length, "end after this time")->type_name("TIME");
  command->add_option("--output", flags->output, "new CSV file for the samples, for `energy fit`")
      ->type_name("FILE");
  command->add_option("--node", flags->node, "this machine's name in the samples (its host name)")
      ->type_name("NAME");
  command->add_option("--powercap", flags->powercap, "folder of RAPL's zones (/sys/class/powercap)")
      ->type_name("FOLDER");
  command->add_option("--nvml", flags->nvml, "library of NVML (libnvidia-ml.so.1)")->type_name("FILE");
  command
      ->add_option("--proc", flags->proc,
                   "folder with the processors' times for declared power: its file stat (/proc)")
      ->type_name("FOLDER");
  command->add_option("command", flags->command, "program and arguments to run meanwhile, behind --")
      ->type_name("COMMAND");
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_record(*flags, context); }; });
}

}  // namespace wavewright::app
