// `wavewright submit`: adds jobs to a batch that runs.
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands/batch_desk.h"
#include "apps/commands/promised_jobs.h"
#include "apps/commands/run_checks.h"
#include "apps/commands/test_only.h"
#include "apps/context.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/job/workload_file.h"
#include "wavewright/live/submission/submission.h"

namespace wavewright::app {

namespace {

struct Options {
  std::vector<std::string> words;  // a workload file, or with --job a command
  DeskOptions desk;
  std::string job, profile, deadline, not_before;
  std::vector<std::string> after;
  std::string queue;
  bool several_applications = false, dry_run = false, test_only = false, admit = false;
  std::string confidence = "max";
  ClusterPlace place;
};

// An instant in the future, from now: `22:00` is the next one, `2h` is in two hours.
Time later(const std::string& text, Time now) {
  const bool duration = text.find(':') == std::string::npos && text.find('-') == std::string::npos &&
                        text.find_first_of("smhd") != std::string::npos;
  const bool clock = !duration && text.size() <= 8 && text.find(':') != std::string::npos;
  const Time at =
      duration ? now + parse_duration(text) : parse_when(text, clock ? now + ms(86'400'000) : now);
  if (at >= now) return at;
  throw UsageError(fmt::format("'{}' is past", text), "give a time to come, as 22:00 or 2h");
}

// The line of a workload file that the flags stand for.
std::string line_of(const Options& options, Time now) {
  Job job;
  job.id = options.job;
  job.name = options.profile.empty() ? options.job : options.profile;
  job.profile = options.profile;
  job.command = options.words;
  job.several_applications = options.several_applications;
  job.after = options.after;
  if (!options.deadline.empty()) job.deadline = Time{} + (later(options.deadline, now) - now);
  if (!options.not_before.empty()) job.submit = Time{} + (later(options.not_before, now) - now);
  if (job.deadline && *job.deadline < job.submit)
    throw UsageError(
        fmt::format("--deadline {} is before --not-before {}", options.deadline, options.not_before),
        "let the job be due after it may be submitted");
  return to_line(job);
}

JobsToAdd jobs_of(const Options& options) {
  JobsToAdd jobs{.queue = options.queue, .dry_run = options.dry_run};
  if (options.admit) {
    (void)parse_confidence(options.confidence);
    jobs.admit = options.confidence;
  }
  if (!options.job.empty()) {
    jobs.line = line_of(options, now_instant());
    return jobs;
  }
  if (options.words.size() > 1)
    throw UsageError("a command needs --job ID before it",
                     "as in 'wavewright submit --job copy -- hadoop distcp /out hdfs://archive/out'");
  for (const std::string* flag : {&options.profile, &options.deadline, &options.not_before}) {
    if (!flag->empty())
      throw UsageError("--profile, --deadline and --not-before are of the job of --job",
                       "write them into the file's lines");
  }
  if (!options.after.empty() || options.several_applications)
    throw UsageError("--after and --several-applications are of the job of --job",
                     "write them into the file's lines");
  jobs.file = options.words.front();
  return jobs;
}

// The flags of the cluster, with the certificates of the desk.
ClusterPlace place_of(const Options& options) {
  ClusterPlace place = options.place;
  place.ca_file = options.desk.ca_file;
  return place;
}

// Tells the expected starts and ends of the jobs. Adds none.
int test(const Context& context, const Options& options, const JobsToAdd& jobs) {
  const Json tested = open_desk(context, options.desk)->test(jobs, place_of(options));
  const std::string refusal = refusal_of(tested);
  if (context.json) {
    context.print(tested);
  } else {
    print_tested(tested);
    std::cout << "nothing was submitted\n";
  }
  std::cout.flush();
  if (!refusal.empty()) context.note("a deadline cannot be met: " + harmless(refusal));
  return static_cast<int>(refusal.empty() ? ExitStatus::done : ExitStatus::no);
}

// The deadlines are not promised; nothing was added.
int tell_refusals(const Context& context, const NotPromised& refused) {
  if (context.json) {
    Json document = {{"submitted", 0}, {"refused", Json::array()}};
    for (const PromiseRefusal& each : refused.refusals())
      document["refused"].push_back(refusal_document(each));
    context.print(document);
  }
  for (const PromiseRefusal& each : refused.refusals())
    context.note("not promised: " + harmless(refusal_text(each)));
  return static_cast<int>(ExitStatus::no);
}

int submit(const Context& context, const Options& options) {
  const JobsToAdd jobs = jobs_of(options);
  if (options.test_only) return test(context, options, jobs);
  Json added;
  try {
    added = open_desk(context, options.desk)->add(jobs, place_of(options));
  } catch (const NotPromised& refused) {
    return tell_refusals(context, refused);
  }
  if (const std::string users = users_note(added, "the program that runs the batch"); !users.empty())
    context.note(users);
  note_commands(context, added);
  if (context.json) {
    context.print(added);
  } else if (options.dry_run) {
    for (const Json& job : added.at("jobs"))
      std::cout << harmless(shell_text(job.at("command").get<std::vector<std::string>>())) << '\n';
    std::cout << (options.admit ? "its deadline would be promised; nothing was submitted\n"
                                : "nothing was submitted\n");
  } else {
    std::vector<std::string> ids;
    for (const Json& job : added.at("jobs")) ids.push_back(job.at("id"));
    std::cout << harmless(fmt::format("added to batch {}: {}{}", added.at("run").get<std::string>(),
                                      fmt::join(ids, ", "),
                                      options.admit ? "; promised by the deadline" : ""))
              << '\n';
  }
  return 0;
}

}  // namespace

void add_submit(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("submit", "Add jobs to a batch that runs");
  command->footer(
      "Example: wavewright submit more.jsonl\n"
      "         wavewright submit more.jsonl --daemon https://wavewright.example.org:8190 --token-file "
      "my.token\n"
      "         wavewright submit --job copy --after report --not-before 02:00 -- hadoop distcp /out "
      "hdfs://archive/out\n"
      "         wavewright submit more.jsonl --test-only\n"
      "         wavewright submit --job report --profile report --deadline 06:00 --admit --confidence p90 -- "
      "hadoop jar report.jar {options}");
  command
      ->add_option(
          "WORDS", options->words,
          "workload file whose jobs have commands (docs/use/run.md), - = standard input; with --job the "
          "command of one job")
      ->required()
      ->type_name("FILE | COMMAND");
  options->desk.declare(*command, "the batch");
  command->add_option("--job", options->job, "id of the job whose command follows")->type_name("ID");
  command->add_option("--profile", options->profile, "stored job whose profile it has")->type_name("NAME");
  command->add_flag("--several-applications", options->several_applications,
                    "the command starts several, one after another, as a script or a driver of jobs may");
  command->add_option("--after", options->after, "ids of jobs that must be done first, with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID");
  command->add_option("--not-before", options->not_before, "when it may be submitted, as 22:00 or 2h")
      ->type_name("TIME");
  command->add_option("--deadline", options->deadline, "when it must be done, likewise")->type_name("TIME");
  command->add_option("--queue", options->queue, "queue of jobs that name none")->type_name("NAME");
  auto* dry_run =
      command->add_flag("--dry-run", options->dry_run, "say what would be submitted, and add nothing");
  auto* test_only = command->add_flag(
      "--test-only", options->test_only,
      "say when each job would start and end, and add nothing; end with 1 if a deadline cannot be met");
  test_only->excludes(dry_run);
  options->place.declare(*command, "to check the jobs' queues on, and with --test-only to try the jobs on");
  auto* admit = command->add_flag("--admit", options->admit,
                                  "only if the daemon promises all their deadlines; if not, add nothing, say "
                                  "what would be promised, and end with 1");
  admit->excludes(test_only);
  command
      ->add_option(
          "--confidence", options->confidence,
          "with --admit: tasks are taken to be no longer than that part of those of earlier runs: max "
          "(default), or a percentile as p90")
      ->type_name("max|pN")
      ->needs(admit);
  command->callback([&context, options] {
    options->desk.parsed();
    context.run = [&context, options] { return submit(context, *options); };
  });
}

}  // namespace wavewright::app
