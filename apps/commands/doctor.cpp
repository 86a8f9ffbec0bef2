// `wavewright doctor`: checks store, cluster and credentials, with remedies.
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/context.h"
#include "apps/keytab_option.h"
#include "apps/settings/fill_options.h"
#include "apps/table.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/live/yarn/active_server.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/store/store.h"
#include "wavewright/store/url.h"

namespace wavewright::app {

namespace {

struct DoctorFlags {
  std::string resource_manager;
  std::string history_server;
  std::string cluster;
  std::string ca_file, keytab;
};

enum class Health { good, warning, bad, not_asked };

const char* to_word(Health health) {
  switch (health) {
    case Health::good:
      return "good";
    case Health::warning:
      return "warning";
    case Health::bad:
      return "bad";
    case Health::not_asked:
      break;
  }
  return "not asked";
}

struct Finding {
  std::string what;
  Health health = Health::good;
  std::string text;
  std::string remedy;
};

// Runs a check; an exception becomes a finding, too.
template <class Check>
Finding examine(const std::string& what, Check check) {
  try {
    Finding finding = check();
    finding.what = what;
    return finding;
  } catch (const Error& error) {
    std::string text = error.problem();
    if (!error.where().source.empty()) text = error.where().text() + ": " + text;
    return {what, Health::bad, text, error.remedy()};
  }
}

Finding look_at_store(const Context& context) {
  const Store store = Store::open(context.store_url(), Store::Access::existing);
  Count runs = 0;
  for (const RunName& name : store.names()) runs += name.runs;
  const std::vector<RunHeader> newest = store.headers({.limit = 1});
  if (newest.empty()) {
    return {"", Health::warning, shown_url(context.store_url()) + " holds no runs",
            "import histories with 'wavewright import PATH…'"};
  }
  std::string text = fmt::format("{} runs", runs);
  if (!newest.front().submit) return {"", Health::good, text, ""};
  const Duration age = now_instant() - *newest.front().submit;
  text += fmt::format(", the newest {} old", format_duration(age));
  constexpr Duration old = ms(7LL * 24 * 3600 * 1000);
  if (age > old) return {"", Health::warning, text, "import what the cluster ran since"};
  return {"", Health::good, text, ""};
}

Finding look_at_disk(const Context& context) {
  const std::string url = context.store_url();
  if (!url.starts_with("sqlite:")) return {"", Health::not_asked, "the store is on a server", ""};
  std::filesystem::path folder = std::filesystem::path(url.substr(7)).parent_path();
  std::error_code error;
  while (!folder.empty() && !std::filesystem::exists(folder, error)) folder = folder.parent_path();
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, error);
  if (error)
    return {"", Health::warning, "cannot tell: " + error.message(), "check the folder " + folder.string()};
  const std::string text = format_bytes(Bytes{static_cast<std::int64_t>(space.available)}) + " free";
  constexpr std::uintmax_t little = std::uintmax_t{1} << 30;
  if (space.available < little)
    return {"", Health::warning, text, "make room, or name another store with --store"};
  return {"", Health::good, text, ""};
}

// Why the server at that place could not take over now; empty if it could.
std::string problem_of_standby(const WebServer& servers, std::size_t which) {
  try {
    const std::string path = "/ws/v1/cluster/info";
    const ServerAnswer answer = servers.json_of(which, path);
    if (!answer.good()) return answer.problem;
    const std::string state = parse_ha_state(answer.body, servers.bases()[which] + path);
    return state == "STANDBY" ? "" : "is " + state;
  } catch (const ExternalError& error) {
    return error.problem();
  }
}

constexpr Duration clocks_apart = ms(5'000);  // from here on it is told

Finding look_at_resource_manager(const DoctorFlags& flags, std::optional<FoundCluster>& found) {
  const std::string& given = flags.resource_manager;
  if (given.empty()) return {"", Health::not_asked, "none named", "name one with --resource-manager URL"};
  const WebServer servers(server_urls(given, 8088), flags.ca_file);
  ActiveServer active(servers);
  active.find();
  require_hadoop(active.version(), servers.base());  // refuses what `run` refuses
  found = find_cluster(servers);
  std::string text = fmt::format("Hadoop {}, {} nodes, {}", found->version, found->nodes, found->scheduler);
  std::string away;
  if (servers.bases().size() > 1) text += ", active at " + servers.base();
  for (std::size_t which = 0; which < servers.bases().size(); ++which) {
    if (servers.bases()[which] == servers.base()) continue;
    const std::string problem = problem_of_standby(servers, which);
    if (!problem.empty()) away += fmt::format("; {} {}", servers.bases()[which], problem);
  }
  if (!away.empty())
    return {"", Health::warning, text + away, "if the active one ends now, nothing takes over: see to it"};
  if (const Duration ahead = active.clock_ahead(); std::chrono::abs(ahead) >= clocks_apart)
    return {"", Health::warning,
            fmt::format("{}; its clock is {} {} this machine's, and deadlines are held against it", text,
                        format_duration(std::chrono::abs(ahead)), ahead > Duration{} ? "ahead of" : "behind"),
            "set both by NTP"};
  if (found->remarks.empty()) return {"", Health::good, text, ""};
  return {"", Health::warning, text + "; " + found->remarks.front(), "see its web page"};
}

// The plug-in has two classes: a queue names the ordering policy, the whole cluster the placement allocator.
Finding look_at_allocator(const FoundCluster& live) {
  const std::string key = "yarn.scheduler.app-placement-allocator.class";
  const std::string own = "wavewright.yarn.TargetPlacementAllocator";
  const std::string orders = fmt::format("orders {}", fmt::join(live.with_plugin, ", "));
  if (live.placement_allocator == own) return {"", Health::good, orders, ""};
  if (!live.placement_allocator)
    return {"", Health::warning,
            orders +
                "; its configuration is not shown, so it is not known whether the placement allocator is set",
            fmt::format("look for {} in its yarn-site.xml, which should be {}", key, own)};
  const std::string other =
      live.placement_allocator->empty() ? "" : fmt::format(", but {}", *live.placement_allocator);
  return {"", Health::warning,
          fmt::format(
              "{}, without its placement allocator{}: an application whose reduces wait at their limit gets "
              "no maps, one that waits for both gets reduces first, and placers do nothing (neither delay "
              "scheduling nor matchmaking)",
              orders, other),
          fmt::format("set {} to {} in yarn-site.xml, and restart the ResourceManager "
                      "(plugins/yarn/README.md)",
                      key, own)};
}

Finding look_for_plugin(const std::optional<FoundCluster>& live) {
  if (!live) return {"", Health::not_asked, "no ResourceManager was asked", ""};
  if (!live->with_plugin.empty()) return look_at_allocator(*live);
  const std::string lost =
      "none: maps and reduces have one order, caps are fixed when a job is submitted, and nodes are the "
      "cluster's own choice (neither delay scheduling nor matchmaking)";
  if (live->scheduler != "capacityScheduler")
    return {"", Health::warning, lost, "it is for the Capacity scheduler, see plugins/yarn/README.md"};
  return {"", Health::warning, lost, "install it as plugins/yarn/README.md says"};
}

Finding look_at_history_server(const DoctorFlags& flags) {
  const std::string& given = flags.history_server;
  if (given.empty()) return {"", Health::not_asked, "none named", "name one with --history-server URL"};
  const WebServer server(server_url(given, 19888), flags.ca_file);
  if (fetch_json(server, "/ws/v1/history/info").find("historyInfo") == std::string::npos) {
    return {"", Health::bad, server.base() + " is no JobHistory server",
            "name its web address, like http://HOST:19888"};
  }
  return {"", Health::good, "answers", ""};
}

Finding look_at_cluster_file(const DoctorFlags& flags, const std::optional<FoundCluster>& live) {
  if (flags.cluster.empty()) return {"", Health::not_asked, "none named", "name one with --cluster FILE"};
  const Cluster cluster = read_cluster(flags.cluster);
  Count nodes = 0;
  for (const NodeGroup& group : cluster.nodes) nodes += group.count;
  const std::string text = fmt::format("{} nodes in {} groups", nodes, cluster.nodes.size());
  if (live && live->nodes != nodes) {
    return {"", Health::warning, fmt::format("{}, but {} run", text, live->nodes),
            "write it anew with 'wavewright init --force'"};
  }
  return {"", Health::good, text, ""};
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"check", finding.what},
                    {"health", to_word(finding.health)},
                    {"text", finding.text},
                    {"remedy", finding.remedy}});
  }
  return list;
}

int run_doctor(const DoctorFlags& flags, const Context& context) {
  require_ca_file(flags.ca_file);
  use_keytab(flags.keytab);
  std::optional<FoundCluster> live;
  const std::vector<Finding> findings = {
      examine("store", [&] { return look_at_store(context); }),
      examine("disk", [&] { return look_at_disk(context); }),
      examine("resource manager", [&] { return look_at_resource_manager(flags, live); }),
      examine("plug-in", [&] { return look_for_plugin(live); }),
      examine("history server", [&] { return look_at_history_server(flags); }),
      examine("cluster file", [&] { return look_at_cluster_file(flags, live); }),
  };
  bool bad = false;
  Table table{{{"check", "check", false, false},
               {"health", "health", false, false},
               {"text", "what was found", false, true}},
              {}};
  for (const Finding& finding : findings) {
    bad = bad || finding.health == Health::bad;
    table.rows.push_back({finding.what, std::string(to_word(finding.health)), finding.text});
  }
  if (context.json) {
    context.print({{"well", !bad}, {"checks", to_json(findings)}});
  } else {
    write_table(std::cout, table);
    for (const Finding& finding : findings) {
      if (finding.health == Health::good || finding.remedy.empty()) continue;
      // In full, as the table may have cut it.
      const bool told = finding.health == Health::not_asked;
      std::cout << finding.what << ": " << (told ? "" : finding.text + "; ") << finding.remedy << '\n';
    }
  }
  return static_cast<int>(bad ? ExitStatus::outside : ExitStatus::done);
}

}  // namespace

void add_doctor(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("doctor", "See what of store, cluster and credentials works");
  command->footer("Example: wavewright doctor --resource-manager http://resourcemanager:8088");
  const auto flags = std::make_shared<DoctorFlags>();
  from_setting(command
                   ->add_option("--resource-manager", flags->resource_manager,
                                "its web address; of several, with commas between them, each is looked at")
                   ->type_name("URL"),
               "resource_manager");
  from_setting(
      command->add_option("--history-server", flags->history_server, "its web address")->type_name("URL"),
      "history_server");
  from_setting(command->add_option("--cluster", flags->cluster, "cluster file, held against the live cluster")
                   ->type_name("FILE"),
               "cluster");
  from_setting(command->add_option("--ca-file", flags->ca_file, "certificates to trust besides the system's")
                   ->type_name("FILE"),
               "ca_file");
  declare_keytab(*command, flags->keytab);
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_doctor(*flags, context); }; });
}

}  // namespace wavewright::app
