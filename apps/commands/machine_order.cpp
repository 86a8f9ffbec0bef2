#include "apps/commands/machine_order.h"

#include <fmt/format.h>

#include "apps/commands/machines_view.h"
#include "apps/whole_number.h"
#include "wavewright/cloud/provision/rent_token.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/toml_table.h"
#include "wavewright/core/toml_text.h"

namespace wavewright::app {

namespace {

constexpr std::int64_t most_attempts = 20;
constexpr const char* page = "docs/use/machines.md";

std::string group_of(const MachineOrderOptions& options) {
  return options.emr_cluster.empty() ? "" : options.emr_cluster + "/" + options.instance_group;
}

// Where the machines come from.
void check_kind(const MachineOrderOptions& options, bool needs_type) {
  const bool emr = !options.emr_cluster.empty();
  if (emr != !options.instance_group.empty())
    throw UsageError("--emr-cluster and --instance-group go together", "give both, or neither");
  if (emr && (!options.bid.empty() || !options.image.empty() || !options.user_data.empty()))
    throw UsageError("a group of EMR has its image and its bid already",
                     "leave out --image, --bid and --user-data");
  if (!emr && ((needs_type && options.type.empty()) || options.image.empty()))
    throw UsageError("no kind of machine is named",
                     "name --type and --image, or --emr-cluster and --instance-group");
}

void check(const MachineOrderOptions& options) {
  check_kind(options, true);
  if (options.bid.empty() == options.price.empty())
    throw UsageError("the most that an hour may cost is not said once",
                     "give --bid for spot machines, or --price, what an hour costs on demand");
  if (options.length.empty())
    throw UsageError("it is not said for how long machines are rented", "give --for, as in --for 2h");
}

// An amount of dollars as a number or as text.
void take_usd(TomlTable& table, const char* key, std::string& target) {
  const toml::node* const node = table.find(key);
  if (node == nullptr) return;
  if (const auto* text = node->as_string())
    target = text->get();
  else if (const auto* whole = node->as_integer())
    target = fmt::format("{}", whole->get());
  else if (const auto* number = node->as_floating_point())
    target = fmt::format("{}", number->get());
  else
    table.refuse(node->source(), fmt::format("{} is no amount of dollars", key), "as in 0.05");
  try {
    (void)parse_usd(key, target);
  } catch (const UsageError& error) {
    table.refuse(node->source(), error.problem(), "as in 0.05");
  }
}

void take_duration(TomlTable& table, const char* key, std::string& target) {
  table.take(key, target);
  const toml::node* const node = table.find(key);
  if (node == nullptr) return;
  try {
    (void)parse_duration(target);
  } catch (const UsageError& error) {
    table.refuse(node->source(), fmt::format("{}: {}", key, error.problem()), "as in \"90min\"");
  }
}

// `part`: a template, of which the rest is told later.
MachineOrderFile read_order(const std::string& file, bool part) {
  constexpr std::size_t most_text = 65'536;
  const toml::table root = parse_toml(read_file(file, most_text), file, page);
  TomlTable table(root, "the order", file);
  MachineOrderFile read;
  MachineOrderOptions& order = read.order;
  const std::pair<const char*, std::string*> texts[] = {
      {"type", &order.type},           {"image", &order.image},
      {"subnet", &order.subnet},       {"key_name", &order.key_name},
      {"user_data", &order.user_data}, {"emr_cluster", &order.emr_cluster},
      {"batch", &read.batch},          {"instance_group", &order.instance_group},
      {"region", &read.region},        {"profile", &read.profile},
      {"endpoint", &read.endpoint}};
  for (const auto& [key, target] : texts) table.take(key, *target);
  for (const char* key : {"count", "bid"}) {
    if (const toml::node* const node = table.find(key); part && node != nullptr)
      table.refuse(node->source(), fmt::format("'{}' has no place in a template: the answer says it", key),
                   "leave it out");
  }
  take_usd(table, "bid", order.bid);
  take_usd(table, "price", order.price);
  take_usd(table, "budget", order.budget);
  take_duration(table, "for", order.length);
  take_duration(table, "boot_within", order.boot);
  table.take("count", 1, most_machines, order.count);
  table.take("attempts", 1, most_attempts, order.attempts);
  table.refuse_unknown();
  if (!order.user_data.empty())
    order.user_data = (std::filesystem::path(file).parent_path() / order.user_data).string();
  try {
    if (part)
      check_kind(order, false);
    else
      check(order);
  } catch (const UsageError& error) {
    throw InputError({file}, error.problem(), fmt::format("keys are named as the flags are; see {}", page));
  }
  return read;
}

}  // namespace

void MachineOrderOptions::declare(CLI::App& command) {
  const auto text = [&](const char* name, std::string& value, const char* what, const char* value_name) {
    return command.add_option(name, value, what)->type_name(value_name);
  };
  text("--type", type, "type of the machines, such as m5.large", "TYPE");
  text("--image", image, "image that they boot", "AMI");
  command.add_option("--count", count, "how many: all of them or none (default: 1)")
      ->type_name("N")
      ->check(whole_number(1, most_machines));
  text("--bid", bid, "spot machines: most to pay for an hour of one, in USD", "USD");
  text("--price", price, "machines on demand: what an hour of one costs, in USD", "USD");
  text("--budget", budget, "most that the batch may ever spend; kept for later calls", "USD");
  text("--for", length, "they are given back after that time", "DURATION");
  text("--subnet", subnet, "subnet that they are in", "SUBNET");
  text("--key-name", key_name, "key pair for SSH", "NAME");
  text("--user-data", user_data, "script that each runs when it has booted", "FILE");
  text("--boot-within", boot, "a machine that is not up by then is ended and asked for anew (10min)",
       "DURATION");
  command.add_option("--attempts", attempts, "how often one is asked for at most (3)")
      ->type_name("N")
      ->check(whole_number(1, most_attempts));
  text("--emr-cluster", emr_cluster, "resize a task group of this EMR cluster instead", "ID");
  text("--instance-group", instance_group, "that task group", "ID");
}

MachineOrderFile read_machine_order(const std::string& file) {
  return read_order(file, false);
}

MachineOrderFile read_order_template(const std::string& file) {
  return read_order(file, true);
}

std::string to_toml(const MachineOrderFile& file, const std::filesystem::path& folder,
                    const std::string& note) {
  const MachineOrderOptions& order = file.order;
  std::string user_data = order.user_data;
  if (!user_data.empty()) {
    const std::filesystem::path from = std::filesystem::absolute(folder);
    user_data = std::filesystem::absolute(user_data).lexically_relative(from).string();
  }
  std::string text = note.empty() ? "" : "# " + note + "\n";
  const auto write = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{} = {}\n", key, value);
  };
  const std::pair<const char*, const std::string&> texts[] = {{"region", file.region},
                                                              {"profile", file.profile},
                                                              {"endpoint", file.endpoint},
                                                              {"batch", file.batch},
                                                              {"type", order.type},
                                                              {"image", order.image},
                                                              {"subnet", order.subnet},
                                                              {"key_name", order.key_name},
                                                              {"user_data", user_data},
                                                              {"emr_cluster", order.emr_cluster},
                                                              {"instance_group", order.instance_group}};
  for (const auto& [key, value] : texts) write(key, value.empty() ? "" : toml_text(value));
  write("count", fmt::format("{}", order.count));
  for (const auto& [key, value] :
       {std::pair("bid", order.bid), std::pair("price", order.price), std::pair("budget", order.budget)})
    write(key, value);
  write("for", toml_text(order.length));
  write("boot_within", toml_text(order.boot));
  write("attempts", fmt::format("{}", order.attempts));
  return text;
}

CloudOptions cloud_of(const MachineOrderFile& file, CloudOptions cloud) {
  if (cloud.region.empty()) cloud.region = file.region;
  if (cloud.profile.empty()) cloud.profile = file.profile;
  if (cloud.endpoint.empty()) cloud.endpoint = file.endpoint;
  return cloud;
}

RentOrder order_of(const MachineOrderOptions& options, const std::string& batch, Time now) {
  check(options);
  RentOrder order;
  order.token = rent_token();
  order.batch = batch;
  order.group = group_of(options);
  order.terms = {options.type, options.image, options.subnet, options.key_name, "", std::nullopt};
  constexpr std::size_t most_user_data = 8'192;  // Amazon takes 16 KiB, encoded twice
  if (!options.user_data.empty()) order.terms.user_data = read_file(options.user_data, most_user_data);
  order.hourly = options.bid.empty() ? parse_usd("--price", options.price) : parse_usd("--bid", options.bid);
  if (order.hourly <= Money{}) throw UsageError("an hour that costs nothing cannot be accounted for");
  if (!options.bid.empty()) order.terms.bid = order.hourly;
  order.count = options.count;
  const Duration length = parse_duration(options.length);
  constexpr Duration longest = ms(std::int64_t{30} * 24 * 3'600'000);
  if (length < least_billed || length > longest)
    throw UsageError(fmt::format("--for {} is not from 1min to 30d", options.length));
  order.asked = now;
  order.until = now + length;
  order.boot = parse_duration(options.boot);
  order.hold = longest_hold(length, order.boot);
  order.attempts = static_cast<int>(options.attempts);
  return order;
}

}  // namespace wavewright::app
