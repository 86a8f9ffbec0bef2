// `wavewright cost WORKLOAD`: the cheapest way to rent machines such that few jobs are late.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/cost.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/profile_lengths.h"
#include "apps/interval_text.h"
#include "apps/made_at.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/bound/stage_windows.h"
#include "wavewright/cloud/choice/rental_choice.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/parameters.h"
#include "wavewright/core/spec.h"
#include "wavewright/report/documents/rental_document.h"
#include "wavewright/report/rental_report.h"
#include "wavewright/report/text.h"

namespace wavewright::app {

namespace {

constexpr std::size_t usual_seeds = 10;

// `edf(slots=90%, admission=deadline),mdasa`: at commas outside of parentheses.
std::vector<std::string> split_list(const std::vector<std::string>& given) {
  std::vector<std::string> parts;
  for (const std::string& text : given) {
    for (std::string& part : split_outside(text, ',')) parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<Money> bids_of(const std::vector<std::string>& given) {
  std::vector<Money> bids;
  for (const std::string& text : split_list(given)) {
    const std::optional<double> usd = finite_number(text);
    constexpr double most = 1e6;
    if (!usd || *usd < 0 || *usd > most)
      throw UsageError("--bids has '" + text + "', which is no price",
                       "give USD an hour, like --bids 0.02,0.05");
    bids.push_back(from_usd(*usd));
  }
  return bids;
}

// Refuses what can have no answer before anything is simulated.
void check_deadlines(const Workload& workload, const std::vector<ImpossibleDeadline>& impossible,
                     double limit, const std::string& source) {
  const auto due = std::count_if(workload.jobs.begin(), workload.jobs.end(),
                                 [](const Job& job) { return job.deadline.has_value(); });
  if (due == 0) throw InputError({source}, "no job has a deadline", "give jobs a deadline_ms");
  if (static_cast<double>(impossible.size()) <= limit * static_cast<double>(due)) return;
  const ImpossibleDeadline& first = impossible.front();
  const Job& job = workload.jobs[first.job];
  throw Infeasible(fmt::format("{} of {} jobs with a deadline cannot be in time under any policy; '{}' ends "
                               "at {} at the earliest, "
                               "{} after its deadline",
                               impossible.size(), due, job.id, format_duration(first.earliest - Time{}),
                               format_duration(first.earliest - *job.deadline)),
                   "move these deadlines, or raise --late-at-most");
}

// `1.2 USD ± 0.1 USD`, or the mean alone where one run tells no interval.
std::string mean_text(const MeanInterval& interval, std::string (*mean)(double),
                      std::string (*half)(double)) {
  if (!std::isfinite(interval.half) || interval.half <= 0) return mean(interval.mean);
  return fmt::format("{} ± {}", mean(interval.mean), half(interval.half));
}

std::vector<Cell> row_of(const RentalChoice& choice, std::size_t at) {
  const RentalFigures& of = choice.options[at];
  const RentalOption& option = of.option;
  const std::string cost = mean_text(of.cost_usd, report::money_text, report::money_text);
  const std::string tardy = mean_text(of.tardy, report::probability_text, report::percent_text);
  const std::string jobs = mean_text(of.tardy_jobs, report::mean_count_text, report::mean_count_text);
  const char* note = at == choice.best ? "cheapest within the limit" : of.frontier ? "frontier" : "";
  return {option.policy,
          option.machines + (option.node_class.empty() ? "" : " " + option.node_class),
          option.bid ? Cell(fmt::format("{}", to_usd(*option.bid)), to_usd(*option.bid))
                     : Cell("-", Json(nullptr)),
          Cell(cost, of.cost_usd.mean),
          Cell(tardy, of.tardy.mean),
          Cell(jobs, of.tardy_jobs.mean),
          Cell(interval_text(of.tardiness_ms), of.tardiness_ms.mean),
          Cell(fmt::format("{:.1f}", of.machine_hours), of.machine_hours),
          Cell(fmt::format("{:.1f}", of.revoked), of.revoked),
          Cell(std::string(note))};
}

void print_bounds(const RentalChoice& choice) {
  if (choice.bound_as_best)
    std::cout << fmt::format("no schedule has the same jobs in time for less than {}\n",
                             report::money_text(*choice.bound_as_best));
  if (choice.bound_all_in_time)
    std::cout << fmt::format("no schedule has all jobs in time for less than {}\n",
                             report::money_text(*choice.bound_all_in_time));
}

void print(const RentalChoice& choice, const CostOptions& options, double limit, std::size_t due) {
  Table table{{{"policy", "policy", false, true},
               {"machines", "machines", false, false},
               {"bid_usd_per_hour", "bid", true, false},
               {"cost_usd", "cost", true, false},
               {"tardy_share", "tardy", true, false},
               {"tardy_jobs", "tardy jobs", true, false, true},
               {"tardiness_ms", "tardiness", true, false},
               {"machine_hours", "hours", true, false, true},
               {"revoked", "revoked", true, false, true},
               {"note", "", false, false}},
              {}};
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < choice.options.size(); ++i) {
    if (options.all || choice.options[i].frontier || i == choice.best) {
      table.rows.push_back(row_of(choice, i));
    } else {
      ++hidden;
    }
  }
  write_table(std::cout, table);
  if (hidden > 0)
    std::cout << fmt::format("… {} more, each dearer or more tardy than one of these; --all shows them\n",
                             hidden);
  if (choice.best) {
    const RentalFigures& best = choice.options[*choice.best];
    std::cout << fmt::format("\n{} is the cheapest with at most {} of the jobs tardy: {}\n",
                             harmless(in_words(best.option)), report::probability_text(limit),
                             mean_text(best.cost_usd, report::money_text, report::money_text));
    std::cout << fmt::format("tardy jobs: {} of {}, total tardiness: {}\n",
                             mean_text(best.tardy_jobs, report::mean_count_text, report::mean_count_text),
                             due, interval_text(best.tardiness_ms));
    std::cout << "policy: " << harmless(best.option.spec) << '\n';
  }
  print_bounds(choice);
}

// Why the answer is no; none if there is one.
std::optional<Infeasible> refusal(const RentalChoice& choice, double limit) {
  if (choice.best || choice.partial || choice.options.empty()) return std::nullopt;
  const RentalFigures& least = choice.options[*choice.least_tardy];
  return Infeasible(
      fmt::format("no option keeps the share of tardy jobs at {}; the least tardy is {} with {} for {}",
                  report::probability_text(limit), in_words(least.option),
                  report::probability_text(least.tardy.mean), report::money_text(least.cost_usd.mean)),
      "raise --late-at-most, offer more or faster machines, or move deadlines");
}

std::vector<std::uint64_t> seeds_of(const CostOptions& options, const Context& context, const Workload& first,
                                    const std::function<Workload(std::uint64_t)>& workload,
                                    const Cluster& cluster) {
  std::size_t count = options.seeds;
  if (count == 0) count = draws(first, workload(context.seed + 1), cluster) ? usual_seeds : 1;
  std::vector<std::uint64_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), context.seed);
  return seeds;
}

RentalChoice compare(const Context& context, const RentalQuestion& question) {
  Progress progress(context);
  const std::size_t all = question.options.size() * question.seeds.size();
  return choose_rental(
      question, [&](std::size_t done) { progress.show(fmt::format("{} of {} simulated", done, all)); },
      Stop(std::nullopt, &context.interrupted));
}

void write_page(const CostOptions& options, const RentalQuestion& question, const RentalChoice& choice,
                std::size_t due, const std::optional<AppliedRental>& applied) {
  if (options.report.empty() || choice.options.empty()) return;
  RentalReport page{.title = "Cost of " + std::filesystem::path(options.workload).stem().string(),
                    .generated = made_at(),
                    .jobs = due,
                    .late_at_most = question.late_at_most,
                    .seeds = question.seeds.size(),
                    .choice = choice,
                    .applied = applied};
  write_file(options.report, [&](std::ostream& out) { write_rental_report(out, page); });
}

// How the command ends, with the line that says why.
struct End {
  ExitStatus status = ExitStatus::done;
  std::string why{};
};

// The document is written even if this fails, and tells why.
End apply_best(const CostApply& apply, const RentalChoice& choice, Json& document, AppliedRental& shown) {
  try {
    apply.apply(choice.options[*choice.best], document, shown);
    return {};
  } catch (const Interrupted&) {
    document["apply"]["problem"] = shown.problem = "interrupted";
    return {ExitStatus::interrupted};
  } catch (const Infeasible& no) {
    document["answer"] = "no";
    document["reason"] = shown.problem = no.what();
    return {no.status(), no.what()};
  } catch (const Error& error) {
    document["apply"]["problem"] = shown.problem = error.what();
    return {error.status(), error.what()};
  }
}

}  // namespace

int cost_command(const Context& context, const CostOptions& options) {
  check_outputs({options.report, options.out, options.apply.out},
                {options.workload, options.pool.file(), options.apply.order});
  const std::optional<Cluster> cluster = options.pool.cluster();
  if (!cluster)
    throw UsageError("which machines are for rent?", "give --cluster FILE.toml (docs/use/cost.md)");
  RentalQuestion question;
  question.cluster = *cluster;
  question.late_at_most = parse_part(options.late, "--late-at-most");
  const PolicyRegistry registry = options.libraries.registry();
  question.registry = &registry;
  const RentalOptions found =
      rental_options({split_list(options.policies), split_list(options.machines), bids_of(options.bids)},
                     *cluster, registry);
  question.options = found.options;
  std::optional<CostApply> apply;
  if (!options.apply.order.empty()) apply.emplace(context, options.apply, options.workload, question);
  const JobReader reader(context);
  const LengthSpread spread = options.spread.spread();
  const Workload first = drawn_lengths(reader.read(options.workload), spread, context.seed);
  question.workload = [&](std::uint64_t seed) {
    return seed == context.seed ? first
                                : drawn_lengths(reader.read_again(options.workload, seed), spread, seed);
  };
  const std::vector<ImpossibleDeadline> impossible = impossible_deadlines(first, *cluster);
  check_deadlines(first, impossible, question.late_at_most, options.workload);
  question.seeds = seeds_of(options, context, first, question.workload, *cluster);
  question.threads =
      options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads;
  context.ends_itself = true;
  const auto began = std::chrono::steady_clock::now();
  const RentalChoice choice = compare(context, question);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  for (const std::string& sentence : found.left_out) context.note("left out: " + sentence);
  Json document = rental_document(choice, question, found.left_out, first, impossible);
  add_spread(document, spread);
  const std::optional<Infeasible> no = refusal(choice, question.late_at_most);
  if (no) {
    document["answer"] = "no";
    document["reason"] = no->what();
  }
  const std::map<std::string, TrackRecord> records = records_of(context, first);
  if (!context.json) {
    print(choice, options, question.late_at_most, document["jobs_with_deadline"].get<std::size_t>());
    std::cout << spread_text(spread);
    show_records(records);
  }
  End end;
  if (no) end = {no->status(), no->what()};
  std::optional<AppliedRental> applied;
  if (apply && choice.best && !choice.partial) end = apply_best(*apply, choice, document, applied.emplace());
  write_page(options, question, choice, document["jobs_with_deadline"].get<std::size_t>(), applied);
  if (!options.out.empty())
    write_file(options.out, [&](std::ostream& out) { out << document.dump(2) << '\n'; });
  if (context.json) {
    add_records(document, records);
    context.print(document);
  }
  context.note(fmt::format("{} options, runs of each: {}, {:.1f} s", question.options.size(),
                           question.seeds.size(), seconds));
  std::cout.flush();
  if (choice.partial) {
    context.note("interrupted: this is what was simulated by then");
    return static_cast<int>(ExitStatus::interrupted);
  }
  if (!end.why.empty()) std::cerr << "wavewright: " << end.why << '\n';
  return static_cast<int>(end.status);
}

void add_cost(CLI::App& root, Context& context) {
  const auto options = std::make_shared<CostOptions>();
  CLI::App* command = root.add_subcommand(
      "cost", "Cheapest policy, mix and bid for rented machines such that few jobs are late");
  command->footer(
      "Example: wavewright cost night.jsonl --cluster cloud.toml --late-at-most 5% --report cost.html\n"
      "         wavewright cost night.jsonl --cluster cloud.toml --policies edf,mdasa --bids 0.02,0.05\n"
      "         wavewright cost night.jsonl --cluster cloud.toml --apply order.toml --budget 2.00 "
      "--dry-run");
  command
      ->add_option("WORKLOAD", options->workload,
                   "workload file (docs/formats/workload-file.md) with deadlines")
      ->required();
  options->pool.declare(*command);
  command
      ->add_option("--late-at-most", options->late,
                   "share of the jobs with a deadline that may be tardy (5%)")
      ->type_name("SHARE");
  command->add_option("--policies", options->policies, "policies to compare (all that rent machines)")
      ->type_name("LIST");
  command->add_option("--machines", options->machines, "how to rent: on-demand, spot, hybrid (all)")
      ->type_name("LIST");
  command
      ->add_option("--bids", options->bids,
                   "bids to compare, USD an hour (prices met for a half to all of the time, and on demand)")
      ->type_name("LIST");
  command->add_option("--seeds", options->seeds, "runs of each option (10 if anything is drawn, else 1)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
  command->add_option("--threads", options->threads, "simulations at once (default: one a core)")
      ->type_name("N");
  command->add_flag("--all", options->all, "show all options, not only those that none dominates");
  options->spread.declare(*command, "each seed draws others, the same for every option");
  options->libraries.declare(*command);
  command->add_option("--report", options->report, "write a page with the frontier of cost and tardiness")
      ->type_name("FILE.html");
  command->add_option("--out", options->out, "write the document of --json")->type_name("FILE");
  options->apply.declare(*command);
  command->callback(
      [&context, options] { context.run = [&context, options] { return cost_command(context, *options); }; });
}

}  // namespace wavewright::app
