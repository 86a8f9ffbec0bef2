#include "wavewright/history/source/jobs.h"

#include "wavewright/core/error.h"
#include "wavewright/history/findings.h"
#include "wavewright/history/rest/answers.h"
#include "wavewright/history/settings.h"

namespace wavewright {

namespace {

using Severity = Diagnostic::Severity;

class Place {
 public:
  explicit Place(std::counting_semaphore<most_jobs_at_once>& places) : places_(places) { places_.acquire(); }
  ~Place() { places_.release(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::counting_semaphore<most_jobs_at_once>& places_;
};

// The server answers, but refuses this request.
struct Refused {
  std::string url;
  ServerAnswer answer;
};

std::string asked(const WebServer& server, const std::string& path) {
  ServerAnswer answer = server.json(path);
  if (!answer.good()) throw Refused{server.base() + path, std::move(answer)};
  return std::move(answer.body);
}

}  // namespace

void JobReading::take(const std::string& path, const std::function<void(JobRun&)>& prepare,
                      FileHistory& file) const {
  RunBuilder builder;
  prepare(builder.run);
  for (const std::string& field : rest::take_job(asked(server_, path), file.name, builder)) {
    file.diagnostics.push_back(
        diagnosed(Severity::warning, {file.name}, "'" + field + "' of a job is of a wrong type: left out"));
  }
  if (!builder.has_job()) throw InputError({file.name}, "an answer without the job's id");
  if (builder.run.id != path.substr(path.rfind('/') + 1)) {
    throw InputError({file.name}, "the answer is about another job than the one asked for",
                     "it tells of " + builder.run.id);
  }
  rest::take_job_counters(asked(server_, path + "/counters"), file.name, builder);
  // An application master may refuse its settings or its masters; the job is useful without them.
  if (const ServerAnswer conf = server_.json(path + "/conf"); conf.good()) {
    builder.run.settings = settings_of_rest(conf.body);
  }
  if (const ServerAnswer masters = server_.json(path + "/jobattempts"); masters.good()) {
    rest::take_masters(masters.body, file.name, builder);
  }
  for (const std::string& task : rest::take_tasks(asked(server_, path + "/tasks"), file.name, builder)) {
    const std::string at = path + "/tasks/" + percent_encoded(task);
    rest::take_attempts(asked(server_, at + "/attempts"), file.name, task, builder);
    rest::take_task_counters(asked(server_, at + "/counters"), file.name, task, builder);
  }
  const auto say = [&](Diagnostic&& diagnostic) { file.diagnostics.push_back(std::move(diagnostic)); };
  file.runs.push_back(std::move(builder).finish(file.name, say));
}

void JobReading::read(const std::string& path, const std::function<void(JobRun&)>& prepare,
                      FileHistory& file) const {
  const Place place(free_);
  try {
    take(path, prepare, file);
  } catch (const Refused& refused) {
    file.diagnostics.push_back(
        diagnosed(Severity::skipped, {refused.url}, "job " + refused.answer.problem, refused.answer.remedy));
  } catch (const InputError& error) {
    file.diagnostics.push_back(diagnosed(Severity::skipped, error.where(), error.problem(), error.remedy()));
  } catch (const ExternalError& error) {
    // Throws if the server is gone.
    if (const ServerAnswer answer = server_.json(alive_); !answer.good()) server_.refuse(alive_, answer);
    file.diagnostics.push_back(diagnosed(Severity::skipped, error.where(), error.problem(), error.remedy()));
  }
}

}  // namespace wavewright
