// `wavewright import PATH…`: imports histories into the store.
#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "apps/context.h"
#include "apps/engine/import_units.h"
#include "apps/keytab_option.h"
#include "apps/progress.h"
#include "apps/settings/fill_options.h"
#include "wavewright/core/error.h"
#include "wavewright/core/keytab.h"
#include "wavewright/core/when.h"
#include "wavewright/history/follow.h"
#include "wavewright/history/source/webhdfs.h"
#include "wavewright/store/importer.h"
#include "wavewright/store/url.h"

namespace wavewright::app {

namespace {

using Reason = ImportSummary::Reason;

struct Options {
  std::vector<std::string> places;
  std::string since;
  bool follow = false;
  std::string interval;  // empty = 10s
  std::string length;
  SourceOptions source;
  std::string keytab;
  ImportOptions import;
  EngineFlags engine;
};

SourceOptions source_options(const Options& options, const Context& context) {
  SourceOptions how = options.source;
  how.interrupted = &context.interrupted;
  if (!options.since.empty()) how.since = parse_when(options.since, now_instant());
  return how;
}

// Opens all sources before anything is read: a missing one stops the import at once.
std::vector<std::unique_ptr<HistorySource>> sources_of(const Options& options, const Context& context) {
  const SourceOptions how = source_options(options, context);
  std::vector<std::unique_ptr<HistorySource>> sources;
  sources.reserve(options.places.size());
  for (const std::string& place : options.places) sources.push_back(open_source(place, how));
  return sources;
}

class Ticker {
 public:
  explicit Ticker(const Context& context) : progress_(context) {}

  void show(const ImportSummary& summary) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
    progress_.show(fmt::format("{} files read ({:.0f} a second), {} already read, {} jobs new", summary.files,
                               static_cast<double>(summary.files) / std::max(elapsed.count(), 0.001),
                               summary.already_read, summary.jobs.fresh));
  }

 private:
  Progress progress_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

Json to_json(const std::vector<Reason>& reasons) {
  Json list = Json::array();
  for (const Reason& reason : reasons) {
    list.push_back({{"reason", reason.text},
                    {"count", reason.count},
                    {"example", reason.example},
                    {"detail", reason.detail}});
  }
  return list;
}

Json to_json(const ImportSummary& summary, const std::string& store) {
  Json formats = Json::array();
  for (const auto& [name, format] : summary.formats) {
    formats.push_back({{"format", name}, {"files", format.files}, {"jobs", format.jobs}});
  }
  return {{"store", store},
          {"files", summary.files},
          {"files_without_jobs", summary.gave_none},
          {"passed_over", summary.passed_over},
          {"already_read", summary.already_read},
          {"formats", std::move(formats)},
          {"jobs",
           {{"new", summary.jobs.fresh},
            {"completed", summary.jobs.completed},
            {"updated", summary.jobs.updated},
            {"already_there", summary.jobs.known}}},
          {"skipped", to_json(summary.skipped)},
          {"warnings", to_json(summary.warnings)},
          {"notes", to_json(summary.notes)},
          {"partial", summary.partial}};
}

void tell(const std::vector<Reason>& reasons, const std::string& what, const Context& context) {
  for (const Reason& reason : reasons) {
    std::string line = fmt::format("  {} {}: {}; e.g. {}", reason.count, what, reason.text, reason.example);
    if (!reason.detail.empty()) line += fmt::format(" ({})", reason.detail);
    context.note(line);
  }
}

void tell(const ImportSummary& summary, const std::string& store, const Context& context) {
  std::string line = fmt::format("{}: {} files read, {} jobs new, {} already there", store, summary.files,
                                 summary.jobs.fresh, summary.jobs.known);
  if (summary.jobs.completed > 0) line += fmt::format(", {} now complete", summary.jobs.completed);
  if (summary.jobs.updated > 0) line += fmt::format(", {} told anew", summary.jobs.updated);
  if (summary.already_read > 0) line += fmt::format("; {} files already read", summary.already_read);
  if (summary.gave_none > 0) line += fmt::format("; {} files gave none", summary.gave_none);
  if (summary.passed_over > 0) line += fmt::format("; {} passed over", summary.passed_over);
  context.note(line);
  for (const auto& [name, format] : summary.formats) {
    context.note(fmt::format("  {}: {} files, {} jobs", name, format.files, format.jobs));
  }
  tell(summary.skipped, "skipped", context);
  tell(summary.warnings, "with a warning", context);
  tell(summary.notes, "noted", context);
  if (summary.partial)
    context.note("interrupted: what was read so far is in the store; import again for the rest");
}

bool is_server(const std::string& place) {
  return place.find("://") != std::string::npos;
}

// All was read and nothing was usable: throws with the first example of each reason, most frequent first.
[[noreturn]] void refuse(const ImportSummary& summary, const std::string& place) {
  std::vector<Reason> reasons = summary.skipped;
  reasons.insert(reasons.end(), summary.warnings.begin(), summary.warnings.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.count > b.count; });
  constexpr std::size_t most_told = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), most_told); ++i) {
    text += (i == 0 ? "" : ", ") + reasons[i].text;
    if (!reasons[i].detail.empty()) text += fmt::format(" ({})", reasons[i].detail);
  }
  if (reasons.empty()) text = is_server(place) ? "it lists none" : "no histories in it";
  if (reasons.size() > most_told) text += fmt::format(" and {} other reasons", reasons.size() - most_told);
  const std::string remedy =
      !is_server(place) ? "name finished job histories (job_*.jhist, Hadoop 1 job logs) or a folder of them"
      : reasons.empty() ? "jobs appear there some time after they have ended"
                        : "";
  throw InputError({place}, fmt::format("no job in {} files: {}", summary.files, text), remedy);
}

void wait_for(Duration duration, const std::atomic<bool>& interrupted) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (!interrupted && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// Looks at one source once. A source that does not answer is reported once and tried again later.
void look_again(FollowedSource& source, const std::string& place, Store& store, const Options& options,
                const Context& context, ImportSummary& all, std::set<std::string>& silent) {
  const Store::Added before = all.jobs;
  try {
    import_from(source, store, options.import, context.interrupted, all, [](const ImportSummary&) {});
    if (silent.erase(place) > 0) context.note(place + " answers again");
  } catch (const ExternalError& error) {
    source.forget();
    if (error.where().source == shown_url(context.store_url())) throw;  // the store is gone
    if (silent.insert(place).second) context.note(std::string(error.what()) + "; trying again");
  }
  const Count fresh = all.jobs.fresh - before.fresh;
  const Count done = all.jobs.completed - before.completed;
  const Count anew = all.jobs.updated - before.updated;
  if (fresh + done + anew > 0) {
    context.note(fmt::format("{} {}  {} jobs new, {} now complete, {} told anew",
                             format_instant(now_instant()), zone_name(now_instant()), fresh, done, anew));
  }
}

// Follows the sources until Ctrl-C or for the time of --for.
int follow(const Options& options, const Context& context) {
  const Duration interval = parse_duration(options.interval.empty() ? "10s" : options.interval);
  if (interval < ms(100)) throw UsageError("--interval is too short", "give at least 100ms");
  const Time end = options.length.empty() ? Time::max() : now_instant() + parse_duration(options.length);
  const SourceOptions how = source_options(options, context);
  std::vector<FollowedSource> sources;
  sources.reserve(options.places.size());
  for (const std::string& place : options.places) sources.emplace_back(place, how);
  const std::string url = context.store_url();
  Store store = Store::open(url, Store::Access::create);
  ImportSummary all;
  std::set<std::string> silent;
  context.note(
      fmt::format("following {} places every {}; Ctrl-C ends it", sources.size(), format_duration(interval)));
  while (!context.interrupted) {
    for (std::size_t i = 0; i < sources.size() && !context.interrupted; ++i) {
      look_again(sources[i], options.places[i], store, options, context, all, silent);
    }
    if (now_instant() + interval > end) break;
    wait_for(interval, context.interrupted);
  }
  all.partial = context.interrupted;
  if (context.json) {
    context.print(to_json(all, shown_url(url)));
  } else {
    tell(all, shown_url(url), context);
  }
  return static_cast<int>(all.partial ? ExitStatus::interrupted : ExitStatus::done);
}

// One place after another, each read on the cluster.
void import_all_on_yarn(const Options& options, const Context& context, Store& store,
                        ImportSummary& summary) {
  Ticker ticker(context);
  for (const std::string& place : options.places) {
    try {
      import_on_yarn(context, options.engine, place, source_options(options, context), options.import, store,
                     summary, [&](const ImportSummary& so_far) { ticker.show(so_far); });
    } catch (const Interrupted&) {
      summary.partial = true;
    }
    if (summary.partial) return;
  }
}

int run_import(const Options& options, const Context& context) {
  context.ends_itself = true;
  if (!options.follow && (!options.length.empty() || !options.interval.empty())) {
    throw UsageError(std::string(options.length.empty() ? "--interval" : "--for") + " without --follow",
                     "add --follow, or leave it away");
  }
  if (options.follow && std::find(options.places.begin(), options.places.end(), "-") != options.places.end())
    throw UsageError("standard input cannot be followed", "leave --follow away, or name a file or folder");
  require_ca_file(options.source.ca_file);
  use_keytab(options.keytab);
  const bool on_yarn = options.engine.on_yarn();
  if (on_yarn && options.follow)
    throw UsageError("--follow reads few histories at a time", "leave out --engine yarn");
  if (on_yarn) std::for_each(options.places.begin(), options.places.end(), require_hdfs);
  for (const std::string& place : options.places) {
    if (const std::string note = note_of_rpc_ports(place); !note.empty()) context.note(note);
    if (on_yarn) refuse_kerberos(place, source_options(options, context));
  }
  if (options.follow) return follow(options, context);
  const auto sources = sources_of(options, context);
  const std::string url = context.store_url();
  Store store = Store::open(url, Store::Access::create);
  ImportSummary summary;
  if (on_yarn) {
    import_all_on_yarn(options, context, store, summary);
  } else {
    Ticker ticker(context);
    for (const auto& source : sources) {
      if (summary.partial) break;
      import_from(*source, store, options.import, context.interrupted, summary,
                  [&](const ImportSummary& so_far) { ticker.show(so_far); });
    }
  }
  const bool useless = summary.usable() == 0 && summary.already_read == 0 && !summary.partial;
  if (context.json) {
    context.print(to_json(summary, shown_url(url)));
  } else if (!useless || summary.files > 1) {  // for a single file the error says everything
    tell(summary, shown_url(url), context);
  }
  if (summary.partial) return static_cast<int>(ExitStatus::interrupted);
  if (useless) refuse(summary, options.places.front());
  return 0;
}

}  // namespace

void add_import(CLI::App& root, Context& context) {
  CLI::App* command = root.add_subcommand("import", "Read job histories into the store");
  command->footer("Example: wavewright import /var/log/hadoop/history http://history:19888 --follow");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("path", options->places,
                   "files, folders and history servers, - for standard input; histories of Hadoop 2 and "
                   "later, Hadoop 1 "
                   "logs; gzip or not")
      ->required()
      ->type_name("PATH");
  command->add_flag("--again", options->import.again,
                    "read files again that were read before and did not change");
  command
      ->add_option("--since", options->since, "only what changed since: now-2d, yesterday, 2026-11-20T06:00")
      ->type_name("TIME");
  command->add_flag("--follow", options->follow, "keep looking for new and changed histories, until Ctrl-C");
  command->add_option("--interval", options->interval, "with --follow: time between two looks (10s)")
      ->type_name("TIME");
  command->add_option("--for", options->length, "with --follow: stop after so long, like 8h")
      ->type_name("TIME");
  command->add_option("--user", options->source.user, "who asks WebHDFS")->type_name("NAME");
  from_setting(
      command->add_option("--ca-file", options->source.ca_file, "certificates to trust besides the system's")
          ->type_name("FILE"),
      "ca_file");
  declare_keytab(*command, options->keytab);
  options->engine.declare(*command, EngineFlags::CaFile::leave);
  command->callback(
      [options, &context] { context.run = [options, &context] { return run_import(*options, context); }; });
}

}  // namespace wavewright::app
