#include "apps/commands/batch_desk.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "apps/commands/added_jobs.h"
#include "apps/commands/job_reader.h"
#include "apps/commands/live_view.h"
#include "apps/commands/night.h"
#include "apps/commands/run_live.h"
#include "apps/commands/test_only.h"
#include "apps/commands/token_files.h"
#include "apps/commands/why_document.h"
#include "apps/keytab_option.h"
#include "apps/settings/fill_options.h"
#include "apps/table.h"
#include "wavewright/cluster/cluster_file.h"
#include "wavewright/core/error.h"
#include "wavewright/core/file.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/live/batch/batch_archive.h"
#include "wavewright/live/batch/batch_store.h"
#include "wavewright/live/outlook/outlook_store.h"
#include "wavewright/live/submission/program_name.h"
#include "wavewright/live/yarn/resource_manager.h"
#include "wavewright/serve/daemon_client.h"

namespace wavewright::app {

namespace {

constexpr int daemon_port = 8190;
constexpr std::size_t largest_request = std::size_t{8} << 20;

class StoreDesk : public BatchDesk {
 public:
  StoreDesk(const Context& context, const std::string& batch)
      : context_(context),
        store_(Store::open(context.store_url(), Store::Access::existing)),
        batches_(store_),
        name_(find_batch(batches_, batch).name) {}

  LiveBatch read() override { return find_batch(batches_, name_); }
  Outlook outlook() override { return OutlookStore(store_).read(name_).value_or(Outlook{}); }

  Json why(const std::string& id, const ClusterPlace& place) override {
    const LiveBatch batch = read();
    const LiveJob& job = find_job(batch, id);
    WhyFacts facts;
    facts.outlook = std::make_shared<const Outlook>(outlook());
    if (!has_ended(job.state)) facts.led = is_led();
    if (!place.cluster.empty()) facts.containers = read_cluster(place.cluster).containers;
    const auto server = server_of(place);
    std::string tls_failure;
    facts.yarn = words_about(job, server.get(), &tls_failure);
    if (!tls_failure.empty()) context_.note("YARN's words are missing: " + harmless(tls_failure));
    return why_document(batch, job, wavewright::why(batch, job, facts, now_instant()),
                        facts.outlook->record_of(job));
  }

  Json test(const JobsToAdd& jobs, const ClusterPlace& place) override {
    const LiveBatch batch = read();
    const std::unique_ptr<WebServer> server = server_of(place);
    const TestRequest request{.cluster = cluster_of(place), .resource_manager = server.get()};
    const AddedToBatch added = prepared(jobs, batch, true, request.cluster, server.get(), place.ca_file);
    return test_document(test_jobs(store_, batch, outlook(), added.jobs, request));
  }

  NightCheck night(Time from) override { return night_of(store_, read(), from); }

  LiveBatch head() override {
    LiveBatch batch = read();
    batch.jobs.clear();
    return batch;
  }

  std::vector<LiveJob> ended(std::size_t limit) override {
    const EndedQuestion question{.limit = limit};
    std::vector<LiveJob> live = read().jobs;
    std::erase_if(live, [&](const LiveJob& job) { return !is_asked_for(question, job); });
    return ended_page(std::move(live), BatchArchive(store_, name_).jobs(question), limit).jobs;
  }

  Json add(const JobsToAdd& jobs, const ClusterPlace& place) override {
    if (!jobs.admit.empty())
      throw UsageError("a daemon alone promises deadlines", "name it with --daemon URL");
    ClusterPlace asked = place;
    // The keytab of a setting may be that of a daemon, which others cannot read. Then they need kinit.
    if (::access(asked.keytab.c_str(), R_OK) != 0) asked.keytab.clear();
    const std::unique_ptr<WebServer> server = server_of(asked);
    return prepared(jobs, read(), jobs.dry_run, cluster_of(place), server.get(), asked.ca_file).document;
  }

  void wish(const std::string& job, Wish wish) override { batches_.wish(name_, job, wish, now_instant()); }

  std::vector<NumberedEvent> events(std::int64_t behind) override {
    constexpr std::int64_t at_most = 500;
    std::vector<NumberedEvent> numbered;
    for (LiveEvent& event : batches_.events(name_, behind, at_most))
      numbered.push_back({++behind, std::move(event)});
    return numbered;
  }

  std::int64_t last_event() override { return batches_.count_events(name_); }

  void follow(std::int64_t behind, std::chrono::milliseconds patience,
              const std::function<bool(const NumberedEvent&)>& take) override {
    for (const NumberedEvent& event : events(behind)) {
      if (!take(event)) return;
    }
    constexpr std::chrono::milliseconds piece(100), longest(1'000);
    for (auto left = std::min(patience, longest); left > piece; left -= piece) {
      throw_if(&context_.interrupted);
      std::this_thread::sleep_for(piece);
    }
  }

 private:
  // `cluster` and `server`, which may be null, tell the cluster's queues. Who may use them is asked where the
  // program that runs the batch is one of this account here: its commands submit as it does.
  AddedToBatch prepared(const JobsToAdd& jobs, const LiveBatch& batch, bool dry_run,
                        const std::optional<Cluster>& cluster, const WebServer* server,
                        const std::string& ca_file) {
    if (!batch.endless && std::all_of(batch.jobs.begin(), batch.jobs.end(),
                                      [](const LiveJob& job) { return has_ended(job.state); }))
      throw Infeasible(fmt::format("batch {} has ended", batch.name),
                       "run a new one, or start a daemon with 'wavewright serve'");
    std::vector<std::string> there;
    there.reserve(batch.jobs.size());
    for (const LiveJob& job : batch.jobs) there.push_back(job.id);
    const JobReader reader(context_);
    const std::string source = jobs.file.empty() ? "this job" : jobs.file;
    Workload more = jobs.file.empty() ? reader.parse_more(jobs.line, source, std::move(there))
                                      : reader.read_more(jobs.file, std::move(there));
    std::unique_ptr<QueueNames> names;
    if (server != nullptr) names = std::make_unique<QueueNames>(*server);
    AddedJobsRules rules;
    rules.queues = names.get();
    std::optional<QueueAccess> access;
    if (server != nullptr) {
      if (auto environment = environment_of_program(batches_.lead_of(name_).program)) {
        rules.submitter.environment = std::move(*environment);
        rules.access = &access.emplace(server->bases(), ca_file, &context_.interrupted);
      }
    }
    AddedToBatch added =
        add_to_batch(batches_, batch, std::move(more), source, jobs.queue, cluster, dry_run, {}, rules);
    std::string tls_failure = names == nullptr ? std::string() : names->tls_failure();
    if (tls_failure.empty() && access) tls_failure = access->tls_failure();
    if (!tls_failure.empty())
      context_.note("the queues of jobs are not checked: " + harmless(std::move(tls_failure)));
    return added;
  }

  // The program that runs a batch writes each second.
  bool is_led() {
    const BatchStore::Lead before = batches_.lead_of(name_);
    if (has_died_here(before.program)) return false;
    for (int i = 0; i < 25; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (batches_.lead_of(name_).writes != before.writes) return true;
    }
    return false;
  }

  static std::optional<Cluster> cluster_of(const ClusterPlace& place) {
    return place.cluster.empty() ? std::nullopt : std::optional(read_cluster(place.cluster));
  }

  std::unique_ptr<WebServer> server_of(const ClusterPlace& place) {
    if (place.resource_manager.empty()) return nullptr;
    require_ca_file(place.ca_file);
    use_keytab(place.keytab);
    return std::make_unique<WebServer>(server_urls(place.resource_manager, 8088), place.ca_file,
                                       &context_.interrupted);
  }

  const Context& context_;
  Store store_;
  BatchStore batches_;
  std::string name_;
};

class DaemonDesk : public BatchDesk {
 public:
  // Throws UsageError if the daemon runs another batch than one that is named.
  DaemonDesk(const Context& context, DaemonAccess access, const std::string& batch)
      : client_(std::move(access), &context.interrupted) {
    if (batch.empty()) return;
    if (const std::string runs = head().name; runs != batch)
      throw UsageError(fmt::format("the daemon at {} runs batch '{}', not '{}'", client_.url(), runs, batch),
                       "leave --run out, or name the store of that batch with --store");
  }

  LiveBatch read() override {
    outlook_ = {};
    return client_.batch(&outlook_);
  }
  Outlook outlook() override { return outlook_; }
  Json why(const std::string& job, const ClusterPlace&) override { return client_.why(job); }
  Json test(const JobsToAdd& jobs, const ClusterPlace&) override {
    return client_.test({jobs.file.empty() ? jobs.line : text_of(jobs.file), jobs.queue, true});
  }
  NightCheck night(Time from) override { return check_night(read(), {}, from, now_instant()); }
  LiveBatch head() override { return client_.head(); }
  std::vector<LiveJob> ended(std::size_t limit) override { return client_.ended(limit); }

  Json add(const JobsToAdd& jobs, const ClusterPlace&) override {
    // A daemon that is gone is told before a request whose lost answer would leave it open what happened.
    (void)head();
    NewJobs added{jobs.file.empty() ? jobs.line : text_of(jobs.file), jobs.queue, jobs.dry_run};
    added.admit = !jobs.admit.empty();
    if (added.admit) added.confidence = jobs.admit;
    return client_.add(added);
  }

  void wish(const std::string& job, Wish wish) override { client_.wish(job, wish); }
  std::vector<NumberedEvent> events(std::int64_t behind) override { return client_.events(behind).events; }
  std::int64_t last_event() override { return client_.events(std::int64_t{1} << 52).last; }
  void follow(std::int64_t behind, std::chrono::milliseconds patience,
              const std::function<bool(const NumberedEvent&)>& take) override {
    client_.follow(behind, patience, take);
  }

 private:
  static std::string text_of(const std::string& file) {
    if (file != "-") return read_file(file, largest_request);
    std::string text;
    char piece[1 << 16];
    while (std::cin.read(piece, sizeof piece) || std::cin.gcount() > 0) {
      text.append(piece, static_cast<std::size_t>(std::cin.gcount()));
      if (text.size() > largest_request)
        throw InputError({"standard input"}, fmt::format("has more than {} MiB", largest_request >> 20),
                         "submit it in parts");
    }
    return text;
  }

  DaemonClient client_;
  Outlook outlook_;
};

std::string environment(const char* name) {
  const char* given = std::getenv(name);
  return given == nullptr ? "" : given;
}

// The token that serve leaves is for this machine's daemon: no other one shall see it.
void find_token(DaemonAccess& access, const std::string& file) {
  constexpr const char* variable = "WAVEWRIGHT_TOKEN";
  if (!file.empty()) {
    access.token = token_in(file);
    access.token_from = file;
  } else if (access.token = environment(variable); !access.token.empty()) {
    access.token_from = variable;
  } else if (const std::filesystem::path own = own_token_file();
             is_on_this_machine(access.url) && std::filesystem::exists(own)) {
    access.token = token_in(own);
    access.token_from = own.string();
  } else {
    throw UsageError(
        fmt::format("no token for {}", access.url),
        "make one with 'wavewright token create NAME' where the daemon runs, and name its file with "
        "--token-file");
  }
}

}  // namespace

void DeskOptions::declare(CLI::App& command, const std::string& what) {
  command.add_option("--run", batch, what + " (default: the latest)")->type_name("NAME");
  from_setting(
      command
          .add_option("--daemon", daemon, "web address of 'wavewright serve': ask it instead of the store")
          ->type_name("URL"),
      "daemon");
  from_setting(command
                   .add_option("--token-file", token_file,
                               "with --daemon: file with the token (default: WAVEWRIGHT_TOKEN, else the one "
                               "that serve left for this account)")
                   ->type_name("FILE"),
               "token_file");
  from_setting(command.add_option("--ca-file", ca_file, "certificates to trust besides the system's (PEM)")
                   ->type_name("FILE"),
               "ca_file");
}

void ClusterPlace::declare(CLI::App& command, const std::string& what) {
  from_setting(command.add_option("--cluster", cluster, "cluster file: " + what)->type_name("FILE"),
               "cluster");
  from_setting(command
                   .add_option("--resource-manager", resource_manager,
                               "web address of YARN's ResourceManager, likewise")
                   ->type_name("URL"),
               "resource_manager");
  declare_keytab(command, keytab);
}

std::unique_ptr<BatchDesk> open_desk(const Context& context, const DeskOptions& options) {
  if (options.daemon_by_flag && context.store_by_flag)
    throw UsageError("--daemon and --store name two places", "leave one of them out");
  if (options.daemon.empty() || context.store_by_flag)
    return std::make_unique<StoreDesk>(context, options.batch);
  require_ca_file(options.ca_file);
  DaemonAccess access{.url = server_url(options.daemon, daemon_port), .ca_file = options.ca_file};
  find_token(access, options.token_file);
  return std::make_unique<DaemonDesk>(context, std::move(access), options.batch);
}

}  // namespace wavewright::app
