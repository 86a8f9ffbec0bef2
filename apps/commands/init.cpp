// `wavewright init URL`: writes a live cluster as a cluster file.
#include <iostream>

#include <fmt/format.h>

#include "apps/context.h"
#include "apps/keytab_option.h"
#include "apps/settings/fill_options.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/time.h"
#include "wavewright/core/when.h"
#include "wavewright/live/yarn/resource_manager.h"

namespace wavewright::app {

namespace {

constexpr int resource_manager_port = 8088;
constexpr int name_node_port = 9870;

struct InitFlags {
  std::string resource_manager;
  std::string name_node;
  std::string out = "cluster.toml";
  std::string ca_file, keytab;
  bool force = false;
};

void ask_name_node(const InitFlags& flags, FoundCluster& found) {
  if (flags.name_node.empty()) return;
  const WebServer server(server_url(flags.name_node, name_node_port), flags.ca_file);
  found.told.merge(apply_configuration(fetch_json(server, "/conf"), server.base() + "/conf", found.cluster));
}

std::string file_text(const FoundCluster& found, const std::string& url) {
  return fmt::format("# {} of Hadoop {} at {}, as of {} UTC.\n# What no server told is a default.\n",
                     found.scheduler, found.version, url, format_utc(now_instant())) +
         mark_untold(to_toml(found.cluster), found.told);
}

void refuse_existing(const InitFlags& flags) {
  std::error_code error;
  if (flags.force || flags.out == "-" || !std::filesystem::exists(flags.out, error)) return;
  throw UsageError(flags.out + " is there already", "name another with --out, or replace it with --force");
}

int run_init(const InitFlags& flags, const Context& context) {
  if (context.json && flags.out == "-") {
    throw UsageError("with --json the cluster file needs a name", "name one with --out FILE");
  }
  refuse_existing(flags);
  require_ca_file(flags.ca_file);
  use_keytab(flags.keytab);
  const WebServer server(server_urls(flags.resource_manager, resource_manager_port), flags.ca_file);
  FoundCluster found = find_cluster(server);
  const std::string& url = server.base();
  ask_name_node(flags, found);
  const std::string text = file_text(found, url);
  static_cast<void>(parse_cluster(text, flags.out));  // the text written must be readable
  if (flags.out == "-") {
    std::cout << text;
  } else {
    write_file(flags.out, [&](std::ostream& out) { out << text; });
  }
  if (context.json) {
    context.print({{"out", flags.out},
                   {"resource_manager", url},
                   {"hadoop", found.version},
                   {"scheduler", found.scheduler},
                   {"nodes", found.nodes},
                   {"node_groups", found.cluster.nodes.size()},
                   {"queues", found.cluster.queues.size()},
                   {"remarks", found.remarks}});
    return 0;
  }
  context.note(fmt::format("{}: {} nodes in {} groups, {} queues of the {} (Hadoop {})", flags.out,
                           found.nodes, found.cluster.nodes.size(), found.cluster.queues.size(),
                           found.scheduler, found.version));
  for (const std::string& remark : found.remarks) context.note("  " + remark);
  context.note("  add speed, prices and power of the nodes by hand: YARN does not know them");
  return 0;
}

}  // namespace

void add_init(CLI::App& root, Context& context) {
  CLI::App* command =
      root.add_subcommand("init", "Write a live cluster's nodes, queues and limits as a cluster file");
  command->footer("Example: wavewright init http://resourcemanager:8088 --out cluster.toml");
  const auto flags = std::make_shared<InitFlags>();
  command
      ->add_option(
          "resource-manager", flags->resource_manager,
          "the ResourceManager's web address; of several, with commas between them, the active one is asked")
      ->type_name("URL")
      ->required();
  command
      ->add_option("--name-node", flags->name_node,
                   "the NameNode's web address, for block size and replication")
      ->type_name("URL");
  command->add_option("--out", flags->out, "file to write (cluster.toml); - for standard output")
      ->type_name("FILE");
  command->add_flag("--force", flags->force, "replace the file where it is there");
  from_setting(command->add_option("--ca-file", flags->ca_file, "certificates to trust besides the system's")
                   ->type_name("FILE"),
               "ca_file");
  declare_keytab(*command, flags->keytab);
  command->callback(
      [flags, &context] { context.run = [flags, &context] { return run_init(*flags, context); }; });
}

}  // namespace wavewright::app
