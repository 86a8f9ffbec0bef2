// `--all-jobs` and `--ids`: how a command lists jobs.
#pragma once

#include <CLI/App.hpp>

namespace wavewright::app {

struct JobListing {
  bool all = false;  // every job, not only the first ones
  bool ids = false;  // by id instead of name

  void declare(CLI::App& command) {
    command.add_flag("--all-jobs", all, "list every job");
    command.add_flag("--ids", ids, "jobs by id instead of name");
  }
};

}  // namespace wavewright::app
