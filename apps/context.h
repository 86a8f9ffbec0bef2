// Shared by all subcommands: global flags, output, and exit statuses of errors.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include "apps/settings/settings.h"

namespace wavewright::app {

using Json = nlohmann::ordered_json;

struct Context {
  bool json = false;  // exactly one JSON document on standard output
  std::string store;  // database URL, of the flag or of a setting; empty = the default
  bool store_by_flag = false;
  std::string time_zone;  // of the flag or of a setting; empty = the machine's
  std::uint64_t seed = 1;
  std::vector<std::string> help_of;      // the words after `help`
  int verbosity = 0;                     // -q = -1, -v = 1
  std::atomic<bool> interrupted{false};  // set by Ctrl-C
  // True if the command checks `interrupted` and ends by itself; else Ctrl-C ends the process at once.
  mutable std::atomic<bool> ends_itself{false};

  // Set by the chosen subcommand; runs after all flags are read. Returns the exit status.
  std::function<int()> run;

  [[nodiscard]] std::string store_url() const;  // `store`, else in the XDG data folder
  void note(const std::string& line) const;     // to standard error, unless -q
  void print(const Json& document) const;       // to standard output
  void note_passed_over(const Settings& settings) const;
};

// Before anything is computed or written: throws UsageError if an output is one of the inputs, or two go to
// one file, and ExternalError if one cannot be written. Empty names are passed over.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

// Throws UsageError if the file does not exist.
void require_ca_file(const std::string& ca_file);

// Each declares a subcommand (with its own subcommands) on `root`, which sets `context.run` when chosen.
void add_import(CLI::App& root, Context& context);
void add_jobs(CLI::App& root, Context& context);
void add_store(CLI::App& root, Context& context);
void add_profile(CLI::App& root, Context& context);
void add_predict(CLI::App& root, Context& context);
void add_slots(CLI::App& root, Context& context);
void add_plan(CLI::App& root, Context& context);
void add_simulate(CLI::App& root, Context& context);
void add_queue(CLI::App& root, Context& context);
void add_run(CLI::App& root, Context& context);
void add_live_jobs(CLI::App& root, Context& context);
void add_serve(CLI::App& root, Context& context);
void add_events(CLI::App& root, Context& context);
void add_token(CLI::App& root, Context& context);
void add_machines(CLI::App& root, Context& context);
void add_submit(CLI::App& root, Context& context);
void add_prices(CLI::App& root, Context& context);
void add_instances(CLI::App& root, Context& context);
void add_cost(CLI::App& root, Context& context);
void add_sweep(CLI::App& root, Context& context);
void add_compare(CLI::App& root, Context& context);
void add_workload(CLI::App& root, Context& context);
void add_reproduce(CLI::App& root, Context& context);
void add_report(CLI::App& root, Context& context);
void add_init(CLI::App& root, Context& context);
void add_doctor(CLI::App& root, Context& context);
void add_config(CLI::App& root, Context& context);
void add_completion(CLI::App& root, Context& context);
void add_man(CLI::App& root, Context& context);

}  // namespace wavewright::app
