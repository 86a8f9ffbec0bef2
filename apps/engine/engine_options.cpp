#include "apps/engine/engine_options.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "apps/choices.h"
#include "apps/commands/run_live.h"
#include "apps/engine/units.h"
#include "apps/progress.h"
#include "apps/settings/fill_options.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/live/submission/client_processes.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/live/yarn/yarn_driver.h"
#include "wavewright/store/key.h"

namespace wavewright::app {

void EngineFlags::declare(CLI::App& command, CaFile ca_file_flag) {
  const auto headed = [&](CLI::Option* option) {
    only_yarn_.push_back(option);
    return option->group("On a YARN cluster");
  };
  offer(
      command.add_option("--engine", engine, "local (default), or yarn: on the cluster (docs/use/engine.md)")
          ->type_name("NAME")
          ->group("On a YARN cluster"),
      {"local", "yarn"});
  from_setting(headed(command.add_option("--resource-manager", resource_manager,
                                         "web address of YARN's ResourceManager"))
                   ->type_name("URL"),
               "resource_manager");
  from_setting(headed(command.add_option("--history-server", history_server,
                                         "web address of the JobHistory server, which knows what the "
                                         "ResourceManager has forgotten"))
                   ->type_name("URL"),
               "history_server");
  from_setting(headed(command.add_option("--hadoop", hadoop, "the program that submits jobs (hadoop)"))
                   ->type_name("FILE"),
               "hadoop");
  from_setting(
      headed(command.add_option("--streaming-jar", streaming_jar,
                                "hadoop-streaming….jar (default: where Hadoop's distributions have it)"))
          ->type_name("FILE"),
      "streaming_jar");
  headed(command.add_option("--hdfs-folder", hdfs_folder,
                            "folder in HDFS for units and results (wavewright, in your home folder)"))
      ->type_name("DIR");
  headed(command.add_option("--queue", queue, "queue of the job"))->type_name("NAME");
  headed(command.add_option("--hadoop-setting", settings, "a setting of the job; may be repeated"))
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  headed(command.add_option("--units-per-task", units_per_task,
                            "units that a task does one after another (default: two tasks a container)"))
      ->type_name("N")
      ->check(whole_number(1));
  if (ca_file_flag == CaFile::leave) return;
  from_setting(headed(command.add_option("--ca-file", ca_file, "certificates to trust besides the system's"))
                   ->type_name("FILE"),
               "ca_file");
}

bool EngineFlags::on_yarn() const {
  if (engine != "local" && engine != "yarn")
    throw UsageError(fmt::format("there is no engine '{}'", engine), "local or yarn");
  if (engine == "local") {
    for (const CLI::Option* option : only_yarn_) {
      // A setting stands in for those that it can.
      if (option->count() > 0 && setting_of(*option).empty())
        throw UsageError(fmt::format("{} has no meaning here", option->get_name()), "add --engine yarn");
    }
    return false;
  }
  require_ca_file(ca_file);
  for (const std::string& setting : settings) {
    if (setting.find('=') == std::string::npos || setting.front() == '=')
      throw UsageError(fmt::format("'{}' is no setting of Hadoop", setting), "write KEY=VALUE");
  }
  if (resource_manager.empty())
    throw UsageError(
        "no ResourceManager is named",
        "name its web address with --resource-manager URL, or once for all with 'wavewright config "
        "set resource_manager URL'");
  if (hdfs_folder.starts_with('-') || hdfs_folder.find_first_of(" \t*?[]{}") != std::string::npos)
    throw UsageError(fmt::format("'{}' is no folder for runs", hdfs_folder),
                     "name one without blanks and without patterns");
  return true;
}

namespace {

std::filesystem::path folder_of_runs() {
  return state_folder() / "engine";
}

}  // namespace

bool has_unfinished_run(const std::string& kind, const std::string& key) {
  UnitRun::remove_ended(folder_of_runs());
  return std::filesystem::exists(UnitRun::folder_of(folder_of_runs(), kind, key));
}

// The files to which the run refers.
class YarnEngine::Parts {
 public:
  Parts(const Context& context, const EngineFlags& flags, const std::string& ca_file)
      : hadoop(flags.hadoop, flags.streaming_jar, &context.interrupted),
        resource_manager(server_urls(flags.resource_manager, 8088), ca_file, &context.interrupted),
        progress(context) {
    if (!flags.history_server.empty())
      history_server.emplace(server_url(flags.history_server, 19888), ca_file, &context.interrupted);
  }

  HadoopClient hadoop;
  WebServer resource_manager;
  std::optional<WebServer> history_server;
  Progress progress;
};

YarnEngine::YarnEngine(const Context& context, const EngineFlags& flags, const std::string& ca_file,
                       const std::string& kind, const std::string& key)
    : context_(context), parts_(std::make_shared<Parts>(context, flags, ca_file)) {
  context.ends_itself = true;
  // Another server, or none, is refused before anything is packed.
  find_resource_manager(parts_->resource_manager);
  (void)parse_applications(
      fetch_json(parts_->resource_manager, "/ws/v1/cluster/apps?applicationTags=wavewright"),
      parts_->resource_manager.base());
  UnitRunOptions options;
  options.state = folder_of_runs();
  options.hdfs_folder = flags.hdfs_folder;
  options.queue = flags.queue;
  options.settings = flags.settings;
  options.units_per_task = static_cast<std::size_t>(flags.units_per_task);
  options.supervisor = {std::filesystem::read_symlink("/proc/self/exe").string(),
                        std::string(supervise_word)};
  UnitRunWatch watch;
  watch.interrupted = &context.interrupted;
  watch.progress = [parts = parts_](const std::string& text) { parts->progress.show(text); };
  watch.note = [&context](const std::string& text) { context.note(text); };
  run_ = std::make_unique<UnitRun>(std::move(options), std::move(watch), parts_->hadoop,
                                   parts_->resource_manager,
                                   parts_->history_server ? &*parts_->history_server : nullptr, kind, key);
}

void YarnEngine::start(const Json& job, const std::function<void(TarWriter&)>& inputs) {
  if (run_->begun()) return run_->take_up();
  run_->begin([&](TarWriter& tar) {
    tar.add(job_file, job.dump());
    inputs(tar);
  });
}

void YarnEngine::tell_interrupted() const {
  const std::string application = run_->application();
  context_.note("interrupted: what is on the cluster goes on, and the same command takes it up");
  if (!application.empty()) context_.note(fmt::format("to end it: yarn application -kill {}", application));
}

std::string key_of(const std::vector<std::string>& files, const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& file : files) all += hash_text(read_file(file)) + '\n';
  for (const std::string& text : texts) all += hash_text(text) + '\n';
  return all;
}

}  // namespace wavewright::app
