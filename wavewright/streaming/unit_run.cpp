#include "wavewright/streaming/unit_run.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/live/batch/batch_driver.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/batch/outages.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/submission/submission.h"
#include "wavewright/live/yarn/yarn_driver.h"
#include "wavewright/store/key.h"
#include "wavewright/streaming/shipped_program.h"

namespace wavewright {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* batch_file = "batch";
constexpr const char* ended_suffix = ".ended";

Store open_state(const fs::path& folder) {
  make_private_folder(folder);
  return Store::open("sqlite:" + (folder / "engine.db").string(), Store::Access::create);
}

std::int64_t memory_of_a_map(const std::vector<std::string>& settings) {
  constexpr std::string_view key = "mapreduce.map.memory.mb=";
  constexpr std::int64_t hadoop_default = 1024;
  std::int64_t memory = hadoop_default;
  for (const std::string& setting : settings) {
    if (setting.starts_with(key))
      std::from_chars(setting.data() + key.size(), setting.data() + setting.size(), memory);
  }
  return std::max<std::int64_t>(memory, 1);
}

}  // namespace

UnitRun::UnitRun(UnitRunOptions options, UnitRunWatch watch, const HadoopClient& hadoop,
                 const WebServer& resource_manager, const WebServer* history_server, const std::string& kind,
                 const std::string& key)
    : options_(std::move(options)),
      watch_(std::move(watch)),
      hadoop_(hadoop),
      resource_manager_(resource_manager),
      history_server_(history_server),
      folder_(folder_of(options_.state, kind, key)),
      name_(folder_.filename().string()),
      store_(open_state(options_.state)) {
  remove_ended(options_.state);
  std::error_code ignored;
  if (!fs::exists(folder_ / batch_file, ignored)) return;
  const std::string file = (folder_ / batch_file).string();
  const BatchStore batches(store_);
  try {
    const Json told = Json::parse(read_file(file));
    batch_ = batches.read(told.at("name").get<std::string>());
    if (batch_) return;
    LiveBatch batch;  // it was killed in between
    batch.name = told.at("name").get<std::string>();
    batch.tag = told.at("tag").get<std::string>();
    batch.began = at_ms(told.at("began_ms").get<std::int64_t>());
    batch.submissions = batch.directory = folder_.string();
    batches.create(batch);
    batch_ = batch;
  } catch (const Json::exception&) {
    throw InputError({file}, "is damaged", "remove the folder in which it is");
  }
}

fs::path UnitRun::folder_of(const fs::path& state, const std::string& kind, const std::string& key) {
  return state / fmt::format("{}-{}", kind, hash_text(key).substr(0, 16));
}

fs::path UnitRun::ended_folder() const {
  return folder_.string() + ended_suffix;
}

void UnitRun::remove_ended(const fs::path& state) {
  std::error_code ignored;
  std::vector<fs::path> ended;
  for (fs::directory_iterator at(state, ignored), end; at != end && !ignored; at.increment(ignored)) {
    if (at->path().extension() == ended_suffix) ended.push_back(at->path());
  }
  for (const fs::path& folder : ended) fs::remove_all(folder, ignored);
}

fs::path UnitRun::file(const char* what, std::size_t round) const {
  return folder_ / fmt::format("{}-{}.jsonl", what, round);
}

std::string UnitRun::hdfs_folder(std::size_t round) const {
  return fmt::format("{}/{}/round-{}", options_.hdfs_folder, batch_->name, round);
}

void UnitRun::begin(const std::function<void(TarWriter&)>& inputs) {
  make_private_folder(folder_);
  write_file(folder_ / "inputs.tar.gz", [&](std::ostream& out) {
    TarWriter tar(out);
    inputs(tar);
    tar.finish();
  });
  const fs::path program = pack_this_program(options_.state);
  std::error_code error;
  fs::remove(folder_ / "program.tar.gz", error);
  fs::create_symlink(program, folder_ / "program.tar.gz", error);
  if (error)
    throw ExternalError({folder_.string()}, "cannot be written: " + error.message(), "check its rights");
  LiveBatch batch;
  batch.began = SystemClocks().wall();
  batch.name = fmt::format("{}-{}", name_, to_ms(batch.began));
  batch.tag = run_tag(batch.name);
  batch.submissions = batch.directory = folder_.string();
  const Json told = {{"name", batch.name}, {"tag", batch.tag}, {"began_ms", to_ms(batch.began)}};
  write_file(folder_ / batch_file, [&](std::ostream& out) { out << told.dump() << '\n'; });
  BatchStore(store_).create(batch);
  batch_ = batch;
}

void UnitRun::take_up() {
  for (std::size_t round = 1; round <= rounds(); ++round) {
    if (!has_ended(batch_->jobs[round - 1].state)) {
      watch_.note(fmt::format("taking up {}", batch_->name));
      follow(round);
    }
    (void)collect(round);
  }
}

void UnitRun::complete(const std::vector<Unit>& units,
                       const std::function<void(const std::string& unit)>& taken) {
  std::size_t per_task = options_.units_per_task;
  for (;;) {
    std::vector<Unit> missing;
    std::copy_if(units.begin(), units.end(), std::back_inserter(missing),
                 [&](const Unit& unit) { return !results_.has(unit.id); });
    if (missing.empty()) return;
    if (per_task == 0) per_task = usual_units_per_task(missing.size());
    submit(missing, per_task);
    follow(rounds());
    const std::vector<std::string> fresh = collect(rounds());
    for (const std::string& unit : fresh) taken(unit);
    if (!results_.failures().empty()) {
      const UnitResult& failure = results_.failures().front();
      const std::size_t others = results_.failures().size() - 1;
      throw ExternalError({"unit " + failure.id}, failure.error,
                          others == 0 ? "" : fmt::format("{} other units failed, too", others));
    }
    if (fresh.empty()) refuse(missing);
    per_task = 1;  // what is missing was perhaps lost with a bad unit of its task
  }
}

void UnitRun::refuse(const std::vector<Unit>& missing) const {
  const LiveJob& job = batch_->jobs.back();
  if (job.applications.empty())
    throw ExternalError({"hadoop jar"}, fmt::format("the job is {}: {}", to_string(job.state), job.reason),
                        "the same command tries again");
  const fs::path log = ClientProcesses::log_of({batch_->submissions, {}, job.tag, job.attempts, {}});
  std::string words;
  try {
    words = task_error(read_file(log));
  } catch (const Error&) {  // the units are named all the same
  }
  if (words.empty()) words = job.reason;
  std::string remedy = fmt::format("'yarn logs -applicationId {}' has more", job.applications.back());
  if (missing.size() > 1) remedy = fmt::format("nor of {} other units; {}", missing.size() - 1, remedy);
  throw ExternalError({"unit " + missing.front().id},
                      fmt::format("there is no result of it{}{}", words.empty() ? "" : ": ", words), remedy);
}

std::size_t UnitRun::usual_units_per_task(std::size_t units) const {
  constexpr std::size_t tasks_per_container = 2;
  const std::string path = "/ws/v1/cluster/metrics";
  const ServerAnswer answer = resource_manager_.json(path);
  if (!answer.good()) resource_manager_.refuse(path, answer);
  const std::size_t tasks = std::max<std::size_t>(
      1, tasks_per_container * parse_containers(answer.body, memory_of_a_map(options_.settings)));
  return std::max<std::size_t>(1, (units + tasks - 1) / tasks);
}

void UnitRun::submit(const std::vector<Unit>& units, std::size_t per_task) {
  const std::size_t round = rounds() + 1;
  write_file(file("units", round), [&](std::ostream& out) {
    for (const Unit& unit : units) out << line_of(unit) << '\n';
  });
  const std::string folder = hdfs_folder(round), input = folder + "/units.jsonl";
  hadoop_.make_folder(folder);
  hadoop_.put(file("units", round), input);

  StreamingJob streaming{fmt::format("wavewright {}", name_),
                         input,
                         folder + "/output",
                         {"program.tar.gz#wavewright", "inputs.tar.gz#inputs"},
                         {},
                         per_task,
                         options_.settings};
  streaming.mapper = command_in("wavewright") + " units inputs";
  Job job;
  job.id = fmt::format("round-{}", round);
  job.name = streaming.name;
  job.command = hadoop_.command_of(streaming);
  const std::string tag = job_tag(batch_->name, job.id);
  LiveJob live;
  live.id = job.id;
  live.name = job.name;
  live.command = submission_of(job, {.tags = {batch_->tag, tag}, .queue = options_.queue}).command;
  live.directory = folder_.string();
  live.tag = tag;
  const BatchStore batches(store_);
  batches.add(batch_->name, {live}, SystemClocks().wall());
  batch_ = batches.read(batch_->name);
  watch_.note(fmt::format("{} units, {} a task, as {}", units.size(), per_task, batch_->name));
}

void UnitRun::follow(std::size_t round) {
  const BatchStore batches(store_);
  YarnDriver cluster(resource_manager_, history_server_, ClientProcesses(options_.supervisor));
  const std::unique_ptr<Journal> journal = batches.journal(batch_->name, this_program());
  SystemClocks clocks;
  BatchDriver driver(*journal, cluster, clocks);
  Outages outages([&](const std::string& line) { watch_.note(line); });
  for (;;) {
    throw_if(watch_.interrupted);
    try {
      driver.step();
      outages.over();
    } catch (const LeadLost&) {
      throw ExternalError({batch_->name}, "another wavewright has taken this run over", "wait for its end");
    } catch (const ExternalError& error) {
      outages.tell(error.what());
    }
    if (driver.batch()) {
      batch_ = driver.batch();
      const LiveJob& job = batch_->jobs.at(round - 1);
      if (has_ended(job.state)) return;
      show(job);
    }
    for (int i = 0; i < 10; ++i) {
      throw_if(watch_.interrupted);
      std::this_thread::sleep_for(std::chrono::milliseconds(interrupt_poll_ms));
    }
  }
}

void UnitRun::show(const LiveJob& job) {
  std::string text = fmt::format("{}: {}", job.id, to_string(job.state));
  if (job.state == LiveState::running) {
    try {
      const ServerAnswer answer = resource_manager_.json("/ws/v1/cluster/apps/" + job.applications.back());
      if (const auto share = parse_progress(answer.body); answer.good() && share)
        text += fmt::format(", {:.0f} % done", 100 * *share);
    } catch (const ExternalError&) {  // the driver tells it
    }
  }
  watch_.progress(text);
}

std::vector<std::string> UnitRun::collect(std::size_t round) {
  watch_.progress("fetching results");
  const fs::path file = this->file("results", round);
  if (!hadoop_.fetch_parts(hdfs_folder(round) + "/output", file)) {
    const std::ofstream empty(file, std::ios::trunc);
  }
  return results_.take(file);
}

void UnitRun::finish() {
  if (batch_) hadoop_.remove_folder(fmt::format("{}/{}", options_.hdfs_folder, batch_->name));
  std::error_code ignored;
  fs::rename(folder_, ended_folder(), ignored);  // at once: the run is there or it is not
  fs::remove_all(ended_folder(), ignored);
  batch_.reset();
}

std::vector<Unit> UnitRun::submitted() const {
  std::vector<Unit> units;
  for (std::size_t round = 1; round <= rounds(); ++round) {
    const fs::path path = file("units", round);
    std::istringstream lines(read_file(path));
    for (std::string line; std::getline(lines, line);) units.push_back(parse_unit(line, path.string()));
  }
  return units;
}

std::string UnitRun::application() const {
  if (!batch_ || batch_->jobs.empty() || batch_->jobs.back().applications.empty()) return {};
  return batch_->jobs.back().applications.back();
}

std::optional<double> parse_progress(std::string_view answer) {
  try {
    const double percent = Json::parse(answer).at("app").at("progress").get<double>();
    constexpr double whole = 100;
    return std::clamp(percent / whole, 0.0, 1.0);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::size_t parse_containers(std::string_view answer, std::int64_t memory_mb) {
  try {
    const Json metrics = Json::parse(answer).at("clusterMetrics");
    const auto by_memory = metrics.at("totalMB").get<std::int64_t>() / memory_mb;
    return static_cast<std::size_t>(
        std::max<std::int64_t>(0, std::min(by_memory, metrics.at("totalVirtualCores").get<std::int64_t>())));
  } catch (const Json::exception&) {
    return 0;
  }
}

std::string task_error(const std::string& log) {
  std::string last;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Error: ")) last = line.substr(std::string_view("Error: ").size());
  }
  std::replace_if(last.begin(), last.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  constexpr std::size_t most = 300;
  return last.substr(0, most);
}

}  // namespace wavewright
