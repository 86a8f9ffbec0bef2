#include "apps/commands/job_predictor.h"

#include <iostream>
#include <limits>

#include <fmt/format.h>

#include "apps/table.h"
#include "wavewright/store/sharing.h"

namespace wavewright::app {

void RunChoiceFlags::declare(CLI::App& command) {
  command.add_flag("--all-runs", all_runs,
                   "use runs of every configuration, and those that shared the cluster with other jobs");
  command.add_flag("--left-out", left_out, "name the runs that are left out");
}

PredictorOptions RunChoiceFlags::with(const PredictionOptions& prediction) const {
  PredictorOptions options;
  options.prediction = prediction;
  options.every_configuration = options.shared_too = all_runs;
  if (all_runs) options.runs_at_most = std::numeric_limits<std::size_t>::max();
  return options;
}

Predictor job_predictor(const Store& store, const std::string& name, std::vector<RunPhases> runs,
                        const PredictorOptions& options) {
  std::set<std::string> shared = shared_runs(store, runs);
  return {name, std::move(runs), std::move(shared), options};
}

std::string used_text(const RunChoice& choice, bool with_hint) {
  std::string text =
      fmt::format("from {} successful run{}", choice.runs.size(), choice.runs.size() == 1 ? "" : "s");
  if (choice.shared_used) text += ", which shared the cluster, for no other could answer";
  const LeftOutCounts counts = choice.counts();
  if (counts.total() == 0) return text;
  text += fmt::format("; left out: {}", counts.text());
  if (!with_hint) return text;
  const bool more = counts.total() > counts.of(LeftOutWhy::not_succeeded);
  return text +
         (more ? " (--left-out names them, --all-runs uses all that succeeded)" : " (--left-out names them)");
}

void list_left_out(const RunChoice& choice) {
  Table table{{{"id", "left out", false, true}, {"why", "why", false, false}}, {}};
  for (const LeftOutRun& run : choice.left_out) table.rows.push_back({run.id, left_out_text(run.why)});
  std::cout << '\n';
  write_table(std::cout, table);
}

}  // namespace wavewright::app
