#include "apps/commands/simulate_replications.h"

#include <iostream>

#include <fmt/format.h>

#include "apps/commands/energy_data.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/profile_lengths.h"
#include "apps/counts_text.h"
#include "apps/interval_text.h"
#include "apps/progress.h"
#include "apps/spread_options.h"
#include "apps/table.h"
#include "wavewright/cluster/power.h"
#include "wavewright/core/apart.h"
#include "wavewright/core/error.h"
#include "wavewright/job/job_labels.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/report/documents/replications_document.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

// Empty where the cluster file tells neither power nor prices.
std::string use_text(const Replications& replications) {
  std::string text;
  if (replications.energy_j) text = "mean energy " + report::energy_text(*replications.energy_j);
  if (replications.cost_usd)
    text += (text.empty() ? "mean cost " : ", cost ") + report::money_text(*replications.cost_usd);
  if (!text.empty()) text += '\n';
  return text;
}

void print(const Workload& workload, const Replications& replications, const ReplicateOptions& options,
           const JobListing& listing) {
  const JobLabels labels(workload.jobs, listing.ids);
  const bool all = listing.all;
  constexpr std::size_t shown_at_most = 25;
  const bool all_equal = replications.makespan_ms.half == 0;
  const std::optional<MeanInterval>& mean = replications.mean_completion_ms;
  const bool some_vary = !all_equal || (mean && mean->half > 0);
  Table table{{{"job", "job", false, true},
               {"completion_ms", some_vary ? "completion, 95 % interval" : "completion", true, false},
               {"p95_completion_ms", "p95", true, false},
               {"done", "done", true, false},
               {"late", "late", true, false}},
              {}};
  for (std::size_t i = 0; i < replications.jobs.size() && (all || i < shown_at_most); ++i) {
    const JobSpread& job = replications.jobs[i];
    table.rows.push_back({labels[i], job.done > 0 ? interval_text(job.completion_ms) : "-",
                          job.done > 0 ? format_duration(job.p95_completion) : "-", std::to_string(job.done),
                          workload.jobs[i].deadline ? std::to_string(job.late) : "-"});
  }
  write_table(std::cout, table);
  if (table.rows.size() < replications.jobs.size()) {
    std::cout << "… " << replications.jobs.size() - table.rows.size()
              << " more; --all-jobs or --json shows them\n";
  }
  const std::vector<std::string> of_makespan =
      format_apart({replications.p5_makespan, replications.p50_makespan, replications.p95_makespan});
  const std::string spread =
      all_equal ? "in every one"
                : fmt::format("(p5 {}, p50 {}, p95 {})", of_makespan[0], of_makespan[1], of_makespan[2]);
  std::cout << fmt::format(
      "\n{} replications under {}, seeds from {}{}\nmakespan {} {}, mean completion {}\n", replications.count,
      options.policy, options.first_seed, some_vary ? "; intervals of 95 %" : "",
      interval_text(replications.makespan_ms), spread,
      mean ? interval_text(*mean) + of_jobs_done(replications.counts) : "- (no job was done)");
  std::cout << use_text(replications);
  std::cout << counts_text(replications.counts);
}

}  // namespace

int simulate_replications(const Context& context, const std::string& path, const Cluster& cluster,
                          const ReplicateOptions& options, const LengthSpread& spread,
                          const JobListing& listing) {
  if (path == "-") {
    throw UsageError("--replications reads the workload once a seed, which standard input cannot give",
                     "name a file");
  }
  // Read once here, so that warnings appear once.
  const JobReader reader(context);
  const Workload workload = reader.read(path);
  check_energy_data(context, path, workload, cluster);
  context.ends_itself = true;
  Progress progress(context);
  const Stop stop(std::nullopt, &context.interrupted);
  const Replications replications = replicate(
      [&](std::uint64_t seed) { return drawn_lengths(reader.read_again(path, seed), spread, seed); }, cluster,
      options, [&](Count done) { progress.show(fmt::format("{} of {} simulated", done, options.count)); },
      stop);
  const std::map<std::string, TrackRecord> records = records_of(context, workload);
  if (context.json) {
    Json document = replications_document(workload, replications, options);
    add_spread(document, spread);
    add_records(document, records);
    context.print(document);
  } else {
    print(workload, replications, options, listing);
    std::cout << spread_text(spread);
    show_records(records);
  }
  if (replications.count == options.count) return 0;
  context.note(fmt::format("interrupted: {} of {} are done", replications.count, options.count));
  return static_cast<int>(ExitStatus::interrupted);
}

}  // namespace wavewright::app
