// `wavewright jobs`: lists runs.
#include <algorithm>
#include <charconv>
#include <iostream>

#include "apps/choices.h"
#include "apps/commands/job_runs.h"
#include "apps/context.h"
#include "apps/table.h"
#include "apps/zones.h"
#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/core/when.h"
#include "wavewright/store/store.h"

namespace wavewright::app {

namespace {

struct Options {
  std::string id, name, user, queue, state, from, to;
  std::string limit = "1000";
  ListOptions list;
};

// Columns in the order of the contract's JSON; further ones follow.
const std::vector<Column>& columns() {
  static const std::vector<Column> all = {{"id", "job", false, false, true},
                                          {"name", "name", false, true},
                                          {"user", "user", false, true},
                                          {"queue", "queue", false, true},
                                          {"state", "state", false, false},
                                          {"maps", "maps", true, false},
                                          {"reduces", "reduces", true, false},
                                          {"failed_attempts", "failed", true, false},
                                          {"killed_attempts", "killed", true, false},
                                          {"submit_ms", "submitted", false, false},
                                          {"start_ms", "started", false, false},
                                          {"finish_ms", "finished", false, false},
                                          {"source", "source", false, true},
                                          {"elapsed_ms", "elapsed", true, false},
                                          {"map_slots", "map slots", true, false},
                                          {"reduce_slots", "reduce slots", true, false},
                                          {"input_bytes", "input", true, false},
                                          {"hadoop", "hadoop", false, true},
                                          {"damage", "damage", false, true}};
  return all;
}

Cell instant_cell(const std::optional<Time>& instant) {
  return instant ? Cell(format_instant(*instant), to_ms(*instant)) : Cell("-", nullptr);
}

std::vector<Cell> row_of(const RunHeader& run) {
  const bool measured = run.submit && run.finish;
  const Duration elapsed = measured ? *run.finish - *run.submit : Duration{};
  return {run.id,
          Cell(shown_name(run.name), run.name),
          run.user,
          run.queue,
          run.damage.empty() ? to_string(run.state) : "DAMAGED",
          count_cell(run.maps),
          count_cell(run.reduces),
          count_cell(run.failed_attempts),
          count_cell(run.killed_attempts),
          instant_cell(run.submit),
          instant_cell(run.launch),
          instant_cell(run.finish),
          run.source,
          measured ? Cell(format_duration(elapsed), to_ms(elapsed)) : Cell("-", nullptr),
          count_cell(run.peak.map_slots),
          count_cell(run.peak.reduce_slots),
          run.input ? Cell(format_bytes(*run.input), run.input->count) : Cell("-", nullptr),
          run.hadoop,
          run.damage};
}

RunState parse_state(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::vector<std::string> known;
  for (const RunState state :
       {RunState::running, RunState::succeeded, RunState::failed, RunState::killed, RunState::unknown}) {
    if (to_string(state) == name) return state;
    known.push_back(to_string(state));
  }
  throw UsageError("unknown state '" + name + "'", suggestion(name, known));
}

std::optional<Count> limit_of(const std::string& text) {
  if (text == "all") return std::nullopt;
  Count limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || limit < 0) {
    throw UsageError("--limit " + text + " is no number of runs", "write --limit 50, or --limit all");
  }
  return limit;
}

RunFilter filter_of(const Options& options) {
  RunFilter filter;
  const auto given = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
  };
  filter.id = given(options.id);
  if (options.name == no_name) {
    filter.exact_name = "";
  } else {
    filter.name = given(options.name);
  }
  filter.user = given(options.user);
  filter.queue = given(options.queue);
  if (!options.state.empty()) filter.state = parse_state(options.state);
  const TimeRange range = parse_range(options.from, options.to, now_instant());
  filter.from = range.from;
  filter.to = range.to;
  filter.limit = limit_of(options.limit);
  return filter;
}

// Notes that there are more runs than shown, and how many if that is cheap to know.
void tell_of_more(const Options& options, const Store& store, std::size_t shown, const Context& context) {
  const bool all = options.id.empty() && options.name.empty() && options.user.empty() &&
                   options.queue.empty() && options.state.empty() && options.from.empty() &&
                   options.to.empty();
  context.note(all ? fmt::format("the newest {} of {} runs; --limit N or --limit all shows others", shown,
                                 store.run_count())
                   : fmt::format("the newest {}; more match: --limit N or --limit all shows them", shown));
}

void tell_of_damage(const std::vector<RunHeader>& runs, const Context& context) {
  const auto damaged =
      std::count_if(runs.begin(), runs.end(), [](const RunHeader& run) { return !run.damage.empty(); });
  if (damaged > 0)
    context.note(fmt::format("{} of them damaged: 'wavewright store check' says what to do", damaged));
}

int run_jobs(const Options& options, const Context& context) {
  if (options.list.wants_help()) {
    ListOptions::write_fields(columns());
    return 0;
  }
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  RunFilter filter = filter_of(options);
  if (filter.limit) ++*filter.limit;  // one more, to see if there are any
  std::vector<RunHeader> runs = store.headers(filter);
  const bool more = filter.limit && std::ssize(runs) == *filter.limit;
  if (more) runs.pop_back();
  if (context.json) {
    Json jobs = Json::array();
    for (const RunHeader& run : runs) {
      const std::vector<Cell> row = row_of(run);
      Json& job = jobs.emplace_back(Json::object());
      for (std::size_t i = 0; i < row.size(); ++i) job[columns()[i].name] = row[i].value;
    }
    context.print({{"jobs", std::move(jobs)}, {"more", more}});
    return 0;
  }
  Table table{columns(), {}};
  std::vector<Time> instants;
  for (const RunHeader& run : runs) {
    table.rows.push_back(row_of(run));
    if (run.submit) instants.push_back(*run.submit);
  }
  for (Column& column : table.columns) {
    const bool instant =
        column.name == "submit_ms" || column.name == "start_ms" || column.name == "finish_ms";
    if (instant) column.title = with_zones(column.title, instants);
  }
  options.list.write(table, {"name", "id", "user", "state", "maps", "reduces", "submit_ms", "elapsed_ms"});
  if (runs.empty() && !more) context.note("no runs match");
  tell_of_damage(runs, context);
  if (more) tell_of_more(options, store, runs.size(), context);
  return 0;
}

}  // namespace

void add_jobs(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("jobs", "List imported runs, newest first");
  command->footer("Example: wavewright jobs --name '*etl*' --from yesterday -o id,name,elapsed_ms");
  const auto options = std::make_shared<Options>();
  command->add_option("--id", options->id, "job id; * stands for any text, case does not matter")
      ->type_name("ID");
  command->add_option("--name", options->name, "job name, likewise")->type_name("NAME");
  command->add_option("--user", options->user, "user, likewise")->type_name("USER");
  command->add_option("--queue", options->queue, "queue, likewise; with root. before it or without")
      ->type_name("QUEUE");
  auto* state =
      command->add_option("--state", options->state, "running, succeeded, failed, killed or unknown");
  offer(state->type_name("STATE"), {"running", "succeeded", "failed", "killed", "unknown"});
  command
      ->add_option("--from", options->from,
                   "submitted at or after: 22:00, now-2h, yesterday, 2026-11-20T06:00")
      ->type_name("TIME");
  command->add_option("--to", options->to, "submitted before")->type_name("TIME");
  command->add_option("--limit", options->limit, "the newest so many, or all; 1000 where not given")
      ->type_name("N");
  options->list.declare(*command);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_jobs(*options, context); }; });
}

}  // namespace wavewright::app
