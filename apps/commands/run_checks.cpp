#include "apps/commands/run_checks.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/commands/run_options.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/keytab.h"
#include "wavewright/live/submission/account.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/live/submission/command_environment.h"
#include "wavewright/live/submission/command_files.h"
#include "wavewright/live/submission/own_settings.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/label_access.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright::app {

namespace {

namespace fs = std::filesystem;

struct ProgramProblem {
  std::string what, remedy;
};

// Why the command would fail at its start, or would not be told what it should; absent if nothing is known.
std::optional<ProgramProblem> problem_of(const Submission& submission, bool of_others) {
  const std::vector<std::string>& command = submission.command;
  if (of_others && command[0].find('/') != std::string::npos) return std::nullopt;
  if (find_program(command[0]).empty())
    return ProgramProblem{fmt::format("there is no program '{}' here", harmless(command[0])),
                          "install it, or name it with its path"};
  if (of_others) return std::nullopt;
  const fs::path folder = fs::current_path();
  if (const std::optional<MissingFile> missing = missing_file(command, folder)) {
    const char* what = missing->is_jar ? "jar" : "file";
    if (missing->is_there)
      return ProgramProblem{fmt::format("its {} '{}' cannot be read", what, harmless(missing->path)),
                            fmt::format("give {} the right to read it", own_account())};
    return ProgramProblem{fmt::format("there is no {} '{}' here", what, harmless(missing->path)),
                          "name it with its path"};
  }
  if (const std::optional<SettingInFile> own = own_setting_in_files(command, submission.keys, folder))
    return ProgramProblem{fmt::format("its file {} sets {} itself", harmless(own->file), own->name),
                          "take it out; it is set for each run"};
  return std::nullopt;
}

}  // namespace

void check_programs(const RunBatch& batch, const std::string& file, bool of_others) {
  for (std::size_t i = 0; i < batch.submissions.size(); ++i) {
    const std::optional<ProgramProblem> problem = problem_of(batch.submissions[i], of_others);
    if (!problem) continue;
    throw InputError({file == "-" ? "standard input" : file},
                     fmt::format("job '{}': {}", batch.ordered.jobs[i].id, problem->what),
                     problem->remedy + "; nothing was submitted");
  }
}

namespace {

// Texts in the order in which they come, each with its jobs.
class TextsOfJobs {
 public:
  void add(const std::string& text, const std::string& job) {
    const auto known =
        std::find_if(texts_.begin(), texts_.end(), [&](const Text& each) { return each.text == text; });
    if (known == texts_.end()) {
      texts_.push_back({text, job, 0});
    } else {
      ++known->more_jobs;
    }
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const Text& each : texts_) {
      const std::string more = each.more_jobs > 0 ? fmt::format(" and {} more", each.more_jobs) : "";
      lines.push_back(fmt::format("job '{}'{}: {}", harmless(each.first_job), more, each.text));
    }
    return lines;
  }

 private:
  struct Text {
    std::string text, first_job;
    std::size_t more_jobs = 0;
  };
  std::vector<Text> texts_;
};

void note_each(const Context& context, const TextsOfJobs& texts) {
  for (const std::string& line : texts.lines()) context.note(harmless(line));
}

}  // namespace

void note_programs(const Context& context, const RunBatch& batch) {
  TextsOfJobs problems;
  for (std::size_t i = 0; i < batch.submissions.size(); ++i) {
    if (const std::optional<ProgramProblem> problem = problem_of(batch.submissions[i], false))
      problems.add(problem->what + "; " + problem->remedy, batch.ordered.jobs[i].id);
  }
  constexpr std::size_t most = 20;
  const std::vector<std::string> lines = problems.lines();
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
    context.note("'run' would refuse this: " + lines[i]);
  if (lines.size() > most)
    context.note(fmt::format("'run' would refuse this for {} more reasons", lines.size() - most));
}

void note_commands(const Context& context, const RunBatch& batch) {
  TextsOfJobs notes;
  for (std::size_t i = 0; i < batch.submissions.size(); ++i) {
    for (const std::string& note : batch.submissions[i].notes) notes.add(note, batch.ordered.jobs[i].id);
  }
  note_each(context, notes);
}

void note_commands(const Context& context, const Json& document) {
  TextsOfJobs notes;
  for (const Json& job : document.at("jobs")) {
    const auto told = job.find("notes");  // a daemon of an earlier version tells none
    if (told == job.end()) continue;
    for (const Json& note : *told) notes.add(note.get<std::string>(), job.at("id").get<std::string>());
  }
  note_each(context, notes);
}

namespace {

// Gives each job's place in the batch to `check`. A UsageError becomes an InputError with the job.
template <class Check>
void check_each(const RunBatch& batch, const std::string& file, Check check) {
  for (std::size_t i = 0; i < batch.settings.size(); ++i) {
    try {
      check(i);
    } catch (const UsageError& error) {
      throw InputError({file == "-" ? "standard input" : file},
                       fmt::format("job '{}': {}", batch.ordered.jobs[i].id, error.problem()),
                       error.remedy());
    }
  }
}

// Refuses a cluster where the labels of a plan for energy would let jobs wait for ever. `nodes_come`: the
// batch rents machines, which are not there yet.
void check_labels(const Context& context, const RunBatch& batch, const WebServer& server, bool nodes_come) {
  std::vector<LabelUse> uses;
  for (std::size_t i = 0; i < batch.settings.size(); ++i) {
    const SubmissionSettings& settings = batch.settings[i];
    const std::string& id = batch.ordered.jobs[i].id;
    uses.push_back({id, settings.queue, settings.map_label});
    if (settings.reduce_label != settings.map_label)
      uses.push_back({id, settings.queue, settings.reduce_label});
  }
  for (const std::string& remark : check_label_access(uses, server, nodes_come)) context.note(remark);
}

void note_doubts(const Context& context, const RunBatch& batch, QueueNames& names) {
  std::set<std::string> asked;
  for (const SubmissionSettings& settings : batch.settings) {
    if (!asked.insert(settings.queue).second) continue;
    if (const std::string doubt = names.doubt(settings.queue); !doubt.empty()) context.note(harmless(doubt));
  }
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

void check_queues(const RunBatch& batch, const std::string& file, QueueNames& names) {
  check_each(batch, file, [&](std::size_t job) { names.require(batch.settings[job].queue); });
}

void check_access(const RunBatch& batch, const std::string& file, QueueAccess& access,
                  const Submitter& submitter, const std::optional<PoolQueues>& pools) {
  std::set<std::string> asked;
  check_each(batch, file, [&](std::size_t job) {
    const std::string& queue = pools ? pools->parent : batch.settings[job].queue;
    if (batch.submissions[job].as_its_account && asked.insert(queue).second) access.require(queue, submitter);
  });
}

void check_cluster(const Context& context, const RunOptions& options, const RunBatch& batch) {
  require_ca_file(options.live.ca_file);
  use_keytab(options.live.keytab);
  const std::vector<std::string> urls = server_urls(options.live.resource_manager, 8088);
  const WebServer server(urls, options.live.ca_file, &context.interrupted);
  find_resource_manager(server);
  if (batch.energy) check_labels(context, batch, server, !options.rent.empty());
  if (!options.request.pools) {
    QueueNames names(server);
    check_queues(batch, options.request.file, names);
    note_doubts(context, batch, names);
  }
  QueueAccess access(urls, options.live.ca_file, &context.interrupted);
  const Submitter submitter{.environment = environment_of_commands()};
  check_access(batch, options.request.file, access, submitter, options.request.pools);
}

std::string submitting_user() {
  for (const char* name : {"HADOOP_PROXY_USER", "HADOOP_USER_NAME"}) {
    if (std::string user = variable(name); !user.empty()) return user;
  }
  return own_account();
}

std::string users_note(const std::vector<std::string>& users, const std::string& runs_as) {
  if (users.empty()) return {};
  constexpr std::size_t most = 5;
  std::vector<std::string> shown(users);
  if (shown.size() > most) {
    shown.resize(most);
    shown.push_back(fmt::format("{} more", users.size() - most));
  }
  return harmless(
      fmt::format("\"user\" chooses no account: jobs of {} run as {}", fmt::join(shown, ", "), runs_as));
}

std::string users_note(const Json& document, const std::string& runs_as) {
  std::vector<std::string> users;
  const auto told = document.find("other_users");
  if (told == document.end() || !told->is_array()) return {};
  for (const Json& user : *told) {
    if (user.is_string()) users.push_back(user.get<std::string>());
  }
  return users_note(users, runs_as);
}

}  // namespace wavewright::app
