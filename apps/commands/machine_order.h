// An order for machines of a cloud: what to rent, for how long and within which budget. From flags or from
// an order file (docs/use/machines.md).
#pragma once

#include <filesystem>
#include <string>

#include <CLI/App.hpp>

#include "apps/commands/machines_cloud.h"
#include "wavewright/cloud/provision/rent_order.h"

namespace wavewright::app {

inline constexpr std::int64_t most_machines = 1000;  // in an order

struct MachineOrderOptions {
  std::string type, image, subnet, key_name;
  std::string user_data;  // a file
  std::string bid, price, budget;
  std::string length;  // a duration
  std::string emr_cluster, instance_group;
  std::string boot = "10min";
  std::int64_t count = 1;
  std::int64_t attempts = 3;

  void declare(CLI::App& command);
};

struct MachineOrderFile {
  MachineOrderOptions order;
  std::string batch;                      // empty = not said
  std::string region, profile, endpoint;  // likewise
};
// Throws InputError with file and line. A path of `user_data` is relative to the file's folder.
[[nodiscard]] MachineOrderFile read_machine_order(const std::string& file);
// The same file as a template: it says neither `count` nor `bid`, and `type`, `price` and `for` may be
// absent.
[[nodiscard]] MachineOrderFile read_order_template(const std::string& file);

// The text of an order file that stands in `folder`; reading it gives the order again. `note`: a comment in
// its first line.
[[nodiscard]] std::string to_toml(const MachineOrderFile& file, const std::filesystem::path& folder,
                                  const std::string& note);

// `cloud` with what the file says of it; a flag goes first.
[[nodiscard]] CloudOptions cloud_of(const MachineOrderFile& file, CloudOptions cloud);

// The order as it is placed now, with a new token. Throws UsageError if the options contradict each other.
[[nodiscard]] RentOrder order_of(const MachineOrderOptions& options, const std::string& batch, Time now);

}  // namespace wavewright::app
