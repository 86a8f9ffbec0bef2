// --engine yarn: the flags of commands whose work can run on a YARN cluster (docs/use/engine.md).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "apps/context.h"
#include "wavewright/core/tar.h"
#include "wavewright/streaming/unit_run.h"

namespace wavewright::app {

struct EngineFlags {
  std::string engine = "local";
  std::string resource_manager, history_server, ca_file;
  std::string hadoop = "hadoop", streaming_jar, hdfs_folder = "wavewright", queue;
  std::vector<std::string> settings;  // key=value
  Count units_per_task = 0;

  // `ca_file`: --ca-file, too, which some commands have anyway.
  enum class CaFile : std::uint8_t { declare, leave };
  void declare(CLI::App& command, CaFile ca_file_flag = CaFile::declare);
  // Throws UsageError for another engine, for settings without `=`, if no ResourceManager is named, and if
  // other flags are given without --engine yarn.
  [[nodiscard]] bool on_yarn() const;

 private:
  std::vector<const CLI::Option*> only_yarn_;
};

// A run of units on the cluster that the flags name.
class YarnEngine {
 public:
  // Throws as HadoopClient; ExternalError if the ResourceManager gives no answer.
  YarnEngine(const Context& context, const EngineFlags& flags, const std::string& ca_file,
             const std::string& kind, const std::string& key);

  // Takes the run up or begins it: `inputs` packs what the worker needs, `job` says what it does with it.
  void start(const Json& job, const std::function<void(TarWriter&)>& inputs);
  [[nodiscard]] UnitRun& run() { return *run_; }
  // Ctrl-C ended the following: says what goes on and how to end it.
  void tell_interrupted() const;

 private:
  class Parts;
  const Context& context_;
  std::shared_ptr<Parts> parts_;
  std::unique_ptr<UnitRun> run_;
};

// Was such a run begun on this machine and not finished? Asks no server. Clears what finished runs left.
[[nodiscard]] bool has_unfinished_run(const std::string& kind, const std::string& key);

// A text by which a run of the same work is found again: the files' contents and the other texts.
[[nodiscard]] std::string key_of(const std::vector<std::string>& files,
                                 const std::vector<std::string>& texts);

}  // namespace wavewright::app
