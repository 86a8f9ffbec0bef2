#include "apps/commands/rent_options.h"

#include <algorithm>
#include <numeric>

#include "apps/commands/job_reader.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/parameters.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/rent/measured_runs.h"
#include "wavewright/rent/speedup_fit.h"

namespace wavewright::app {

namespace {

constexpr double seconds_per_hour = 3600;

RentJob rent_job(const Job& job) {
  const auto sum = [](const std::vector<Duration>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), Duration{});
  };
  const double work = static_cast<double>(to_ms(sum(job.maps) + sum(job.reduces))) / 1000;
  return {job.id, work, static_cast<double>(to_ms(job.submit)) / 1000};
}

std::vector<RentJob> read_jobs(const std::string& file, const Context& context,
                               std::set<std::string>& profiles) {
  if (file.ends_with(".csv") || file.ends_with(".csv.gz")) return read_rent_jobs(file);
  std::vector<RentJob> jobs;
  read_workload(file, JobReader(context).options(context.seed, true), [&](const Job& job) {
    jobs.push_back(rent_job(job));
    if (!job.profile.empty()) profiles.insert(job.profile);
  });
  for (const RentJob& job : jobs) {
    if (job.work <= 0)
      throw InputError({file}, "job '" + job.id + "' has no work", "give it tasks, or leave it out");
  }
  return jobs;
}

// CLI11 would take nan, and say nothing of the unit.
CLI::Validator amount() {
  return CLI::Validator(
      [](const std::string& text) {
        const std::optional<double> number = finite_number(text);
        return number && *number >= 0 ? std::string() : "'" + text + "' is not an amount from 0";
      },
      "");
}

}  // namespace

void RentOptions::declare(CLI::App& command) {
  command.add_option("file", file, "workload, or CSV with the columns job,work and perhaps arrival")
      ->required()
      ->type_name("FILE");
  command.add_option("--machines", machines, "machines that may be rented at once")
      ->required()
      ->type_name("M")
      ->check(whole_number(1, Speeds::most_machines));
  command
      .add_option("--speedup", speedup, "alpha(0.9), amdahl(0.95), power(0.8), linear or table(1=1, 2=1.9)")
      ->type_name("CURVE");
  command
      .add_option("--runs", runs, "measured runs, CSV with the columns machines,seconds: the curve is fitted")
      ->type_name("FILE");
  command.add_option("--price", price, "rent of a machine per hour")
      ->required()
      ->type_name("A")
      ->check(amount());
  command.add_option("--delay", delay, "what an hour costs until a job is done")
      ->required()
      ->type_name("B")
      ->check(amount());
  command.add_option("--benefit", benefit, "what an hour of work on one machine is worth")
      ->type_name("AMOUNT")
      ->check(amount());
}

SpeedupCurve RentOptions::curve() const {
  if (speedup.empty() == runs.empty()) {
    throw UsageError(speedup.empty() ? "no speed-up of the jobs" : "both --speedup and --runs",
                     "give --speedup 'alpha(0.9)', or --runs FILE of measured runs");
  }
  return runs.empty() ? parse_speedup(speedup) : fit_speedup(read_runs(runs)).best().curve;
}

RentProblem RentOptions::problem(const Context& context, std::set<std::string>& profiles) const {
  Speeds speeds(curve(), machines);
  const RentPrices per_second{price / seconds_per_hour, delay / seconds_per_hour, benefit / seconds_per_hour};
  return rent_problem(read_jobs(file, context, profiles), per_second, std::move(speeds));
}

Json rent_options_document(const RentOptions& options) {
  return {{"machines", options.machines},
          {"speedup", to_text(options.curve())},
          {"price_per_machine_hour", options.price},
          {"delay_per_hour", options.delay},
          {"benefit_per_hour", options.benefit}};
}

}  // namespace wavewright::app
