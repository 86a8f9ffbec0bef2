// `wavewright store info|check|copy|forget|vacuum`: maintenance of the store.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/job_runs.h"
#include "apps/context.h"
#include "apps/progress.h"
#include "apps/table.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/store/maintain.h"
#include "wavewright/store/url.h"

namespace wavewright::app {

namespace {

Json instant_json(const std::optional<Time>& instant) {
  return instant ? Json(to_ms(*instant)) : Json(nullptr);
}

Json to_json(const StoreInfo& info) {
  return {{"store", info.url},
          {"backend", info.backend},
          {"schema", info.schema},
          {"runs", info.runs},
          {"names", info.names},
          {"files", info.files},
          {"tasks", info.tasks},
          {"size_bytes", info.bytes.count},
          {"task_bytes", info.task_bytes.count},
          {"bytes_a_task", info.bytes_a_task()},
          {"oldest_submit_ms", instant_json(info.oldest)},
          {"newest_submit_ms", instant_json(info.newest)}};
}

int run_info(const Context& context) {
  const StoreInfo info = info_of(Store::open(context.store_url(), Store::Access::existing));
  if (context.json) {
    context.print(to_json(info));
    return 0;
  }
  const auto line = [](const char* what, const std::string& value) {
    std::cout << fmt::format("{:<12}{}\n", what, value);
  };
  line("store", info.url);
  line("database", fmt::format("{}, schema {}", info.backend, info.schema));
  line("runs", fmt::format("{} of {} names, from {} files", info.runs, info.names, info.files));
  line("tasks", fmt::format("{}, {:.1f} bytes each", info.tasks, info.bytes_a_task()));
  line("size", format_bytes(info.bytes));
  if (info.oldest) {
    line("submitted", fmt::format("{} to {} {}", format_instant(*info.oldest), format_instant(*info.newest),
                                  zone_name(*info.newest)));
  }
  return 0;
}

int run_check(const Context& context) {
  const std::string url = context.store_url();
  const Store store = Store::open(url, Store::Access::damaged);
  std::vector<Damage> damages;
  Count checked = 0;
  {
    Progress progress(context);
    damages = check_store(store, [&](Count runs) {
      checked = runs;
      progress.show(fmt::format("{} runs checked", runs));
    });
  }
  if (context.json) {
    Json list = Json::array();
    for (const Damage& damage : damages) {
      list.push_back({{"what", damage.what},
                      {"count", damage.cases},
                      {"example", damage.where},
                      {"remedy", damage.remedy}});
    }
    context.print({{"store", shown_url(url)}, {"runs", checked}, {"damages", std::move(list)}});
  } else {
    for (const Damage& damage : damages) {
      std::cout << fmt::format("{} {}; e.g. {}; {}\n", damage.cases, damage.what, damage.where,
                               damage.remedy);
    }
  }
  if (damages.empty()) {
    context.note(fmt::format("{}: {} runs, all sound", shown_url(url), checked));
    return 0;
  }
  throw InputError({shown_url(url)}, fmt::format("is damaged: {}", damages.front().what),
                   damages.front().remedy);
}

void tell(const Copied& copied, const std::string& to, const Context& context) {
  context.note(fmt::format("{}: {} runs and {} files copied, {} rows already there", shown_url(to),
                           copied.runs, copied.files, copied.there));
  if (copied.lost > 0) context.note(fmt::format("{} runs could not be read:", copied.lost));
  constexpr std::size_t most_told = 20;
  for (std::size_t i = 0; i < std::min(copied.losses.size(), most_told); ++i)
    context.note("  " + harmless(copied.losses[i]));
  if (copied.losses.size() > most_told) context.note("  … (--json names more)");
  if (!copied.losses.empty())
    context.note("import their histories again: records of files were not copied, so that all are read");
  if (copied.partial) context.note("interrupted: copy again for the rest");
}

int run_copy(const std::string& from, const std::string& to, bool salvage, const Context& context) {
  context.ends_itself = true;
  if (from == to) throw UsageError("'" + shown_url(from) + "' cannot be copied onto itself", "name another");
  // The command line gives no passwords, and the two may have different ones.
  const std::string configured = context.store_url();
  const Store source = Store::open(with_password_of(configured, from),
                                   salvage ? Store::Access::damaged : Store::Access::existing);
  const Store target = Store::open(with_password_of(configured, to), Store::Access::create);
  Copied copied;
  {
    Progress progress(context);
    const auto show = [&](Count rows) { progress.show(fmt::format("{} rows passed", rows)); };
    copied = salvage ? salvage_store(source, target, context.interrupted, show)
                     : copy_store(source, target, context.interrupted, show);
  }
  if (context.json) {
    context.print({{"store", shown_url(to)},
                   {"runs", copied.runs},
                   {"files", copied.files},
                   {"already_there", copied.there},
                   {"lost", copied.lost},
                   {"losses", copied.losses},
                   {"partial", copied.partial}});
  } else {
    tell(copied, to, context);
  }
  if (copied.partial) return static_cast<int>(ExitStatus::interrupted);
  const bool nothing = copied.runs == 0 && copied.there == 0 && copied.lost > 0;
  return static_cast<int>(nothing ? ExitStatus::bad_input : ExitStatus::done);
}

int run_vacuum(const VacuumOptions& options, const Context& context) {
  const std::string url = context.store_url();
  const Vacuumed gone = vacuum_store(Store::open(url, Store::Access::existing), options);
  if (context.json) {
    context.print({{"store", shown_url(url)},
                   {"dry_run", options.dry_run},
                   {"old_runs", gone.old_runs},
                   {"damaged_runs", gone.damaged_runs},
                   {"orphans", gone.orphans},
                   {"freed_bytes", gone.freed.count}});
    return 0;
  }
  std::string line = fmt::format("{}: {} {} old runs, {} damaged runs, {} rows of none", shown_url(url),
                                 options.dry_run ? "would remove" : "removed", gone.old_runs,
                                 gone.damaged_runs, gone.orphans);
  if (!options.dry_run && gone.freed.count > 0) line += fmt::format("; {} freed", format_bytes(gone.freed));
  context.note(line);
  return 0;
}

int run_forget(const std::vector<std::string>& ids, bool dry_run, const Context& context) {
  const std::string url = context.store_url();
  const Store store = Store::open(url, Store::Access::existing);
  Json forgotten = Json::array();
  for (const std::string& id : ids) (void)forget_runs(store, id, true);  // all are there, or none goes
  for (const std::string& id : ids) {
    for (const RunHeader& run : forget_runs(store, id, dry_run)) {
      forgotten.push_back({{"id", run.id}, {"name", run.name}, {"submit_ms", instant_json(run.submit)}});
      if (context.json) continue;
      context.note(fmt::format(
          "{} {} ({}, submitted {})", dry_run ? "would forget" : "forgot", run.id.empty() ? id : run.id,
          shown_name(run.name),
          run.submit ? format_instant(*run.submit) + " " + zone_name(*run.submit) : "at an unknown time"));
    }
  }
  if (context.json) {
    context.print({{"store", shown_url(url)}, {"dry_run", dry_run}, {"runs", std::move(forgotten)}});
  } else if (!dry_run) {
    context.note("an import does not bring them back; 'wavewright import --again' does");
  }
  return 0;
}

void add_forget(CLI::App& store, Context& context) {
  CLI::App* forget = store.add_subcommand("forget", "Remove runs by their job ids");
  forget->footer("Example: wavewright store forget job_1700000000000_0042 --dry-run");
  const auto ids = std::make_shared<std::vector<std::string>>();
  const auto dry_run = std::make_shared<bool>(false);
  forget->add_option("id", *ids, "job ids, as 'jobs' and 'store check' name them; case does not matter")
      ->required()
      ->type_name("ID");
  forget->add_flag("--dry-run", *dry_run, "say what would go, change nothing");
  forget->callback([ids, dry_run, &context] {
    context.run = [ids, dry_run, &context] { return run_forget(*ids, *dry_run, context); };
  });
}

void add_vacuum(CLI::App& store, Context& context) {
  CLI::App* vacuum = store.add_subcommand("vacuum", "Remove what is not needed and give its room back");
  vacuum->footer("Example: wavewright store vacuum --older-than 400d --dry-run");
  const auto options = std::make_shared<VacuumOptions>();
  const auto age = std::make_shared<std::string>();
  vacuum->add_option("--older-than", *age, "also runs submitted longer ago: 400d, 36h")->type_name("AGE");
  vacuum->add_flag("--damaged", options->damaged, "also runs that cannot be unpacked");
  vacuum->add_flag("--dry-run", options->dry_run, "say what would go, change nothing");
  vacuum->callback([options, age, &context] {
    context.run = [options, age, &context] {
      if (!age->empty()) options->before = now_instant() - parse_duration(*age);
      return run_vacuum(*options, context);
    };
  });
}

}  // namespace

void add_store(CLI::App& root, Context& context) {
  CLI::App* store = root.add_subcommand("store", "Look after the store: contents, soundness, copies, room");
  store->footer("Example: wavewright store info");
  store->require_subcommand(1);
  CLI::App* info = store->add_subcommand("info", "Say what is stored, where, and how large it is");
  info->footer("Example: wavewright store info --json");
  info->callback([&context] { context.run = [&context] { return run_info(context); }; });
  CLI::App* check =
      store->add_subcommand("check", "Unpack everything and compare; status 3 where it is damaged");
  check->footer("Example: wavewright store check");
  check->callback([&context] { context.run = [&context] { return run_check(context); }; });
  CLI::App* copy = store->add_subcommand("copy", "Copy a store, also to another kind of database");
  copy->footer("Example: wavewright store copy sqlite:runs.db postgresql://ada@db/runs");
  const auto places = std::make_shared<std::pair<std::string, std::string>>();
  copy->add_option("from", places->first, "the store to read")->required()->type_name("FROM");
  copy->add_option("to", places->second, "the store to write; made where it is missing")
      ->required()
      ->type_name("TO");
  const auto salvage = std::make_shared<bool>(false);
  copy->add_flag("--salvage", *salvage, "take what can be read of a damaged store, and name the rest");
  copy->callback([places, salvage, &context] {
    context.run = [places, salvage, &context] {
      return run_copy(places->first, places->second, *salvage, context);
    };
  });
  add_forget(*store, context);
  add_vacuum(*store, context);
}

}  // namespace wavewright::app
