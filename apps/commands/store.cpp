// `wavewright store info|check|copy|vacuum`: maintenance of the store.
#include <iostream>

#include <fmt/format.h>

#include "apps/context.h"
#include "apps/progress.h"
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
    line("submitted",
         fmt::format("{} to {} UTC", format_instant(*info.oldest), format_instant(*info.newest)));
  }
  return 0;
}

int run_check(const Context& context) {
  const std::string url = context.store_url();
  const Store store = Store::open(url, Store::Access::existing);
  std::vector<Damage> damages;
  {
    Progress progress(context);
    damages = check_store(store, [&](Count runs) { progress.show(fmt::format("{} runs checked", runs)); });
  }
  if (context.json) {
    Json list = Json::array();
    for (const Damage& damage : damages) {
      list.push_back({{"what", damage.what},
                      {"count", damage.cases},
                      {"example", damage.where},
                      {"remedy", damage.remedy}});
    }
    context.print({{"store", shown_url(url)}, {"runs", store.run_count()}, {"damages", std::move(list)}});
  } else {
    for (const Damage& damage : damages) {
      std::cout << fmt::format("{} {}; e.g. {}; {}\n", damage.cases, damage.what, damage.where,
                               damage.remedy);
    }
  }
  if (damages.empty()) {
    context.note(fmt::format("{}: {} runs, all sound", shown_url(url), store.run_count()));
    return 0;
  }
  throw InputError({shown_url(url)}, fmt::format("is damaged: {}", damages.front().what),
                   damages.front().remedy);
}

int run_copy(const std::string& from, const std::string& to, const Context& context) {
  context.ends_itself = true;
  if (from == to) throw UsageError("'" + shown_url(from) + "' cannot be copied onto itself", "name another");
  const Store source = Store::open(from, Store::Access::existing);
  const Store target = Store::open(to, Store::Access::create);
  Copied copied;
  {
    Progress progress(context);
    copied = copy_store(source, target, context.interrupted,
                        [&](Count rows) { progress.show(fmt::format("{} rows passed", rows)); });
  }
  if (context.json) {
    context.print({{"store", shown_url(to)},
                   {"runs", copied.runs},
                   {"files", copied.files},
                   {"already_there", copied.there},
                   {"partial", copied.partial}});
  } else {
    context.note(fmt::format("{}: {} runs and {} files copied, {} rows already there", shown_url(to),
                             copied.runs, copied.files, copied.there));
    if (copied.partial) context.note("interrupted: copy again for the rest");
  }
  return copied.partial ? static_cast<int>(ExitStatus::interrupted) : 0;
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
  CLI::App* store = root.add_subcommand("store", "What the store holds, whether it is sound, copies, room");
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
  copy->callback([places, &context] {
    context.run = [places, &context] { return run_copy(places->first, places->second, context); };
  });
  add_vacuum(*store, context);
}

}  // namespace wavewright::app
