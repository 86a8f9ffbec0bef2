// `wavewright workload gen NAME`: generates the papers' workloads.
#include <iostream>
#include <memory>

#include "apps/choices.h"
#include "apps/commands/workload.h"
#include "wavewright/core/error.h"
#include "wavewright/job/generators.h"

namespace wavewright::app {

namespace {

struct GenFlags {
  std::string name;
  std::string out;
  std::vector<std::string> settings;
  std::optional<Count> jobs;
  bool list = false;
};

void list_generators(const Context& context) {
  if (context.json) {
    Json all = Json::array();
    for (const Generator& each : generators()) {
      Json parameters = Json::array();
      for (const GeneratorParameter& p : each.parameters) {
        parameters.push_back({{"name", p.name}, {"default", p.default_value}, {"help", p.help}});
      }
      all.push_back({{"name", each.name},
                     {"description", each.description},
                     {"source", each.source},
                     {"parameters", parameters}});
    }
    context.print({{"generators", all}});
    return;
  }
  for (const Generator& each : generators()) {
    std::cout << fmt::format("{}\n    {}\n    source: {}\n", each.name, each.description, each.source);
    for (const GeneratorParameter& p : each.parameters) {
      std::cout << fmt::format("      {:<38} {}\n", p.name + "=" + p.default_value, p.help);
    }
  }
}

int generate_to(const Context& context, const GenFlags& flags) {
  if (flags.list) {
    list_generators(context);
    return 0;
  }
  if (flags.name.empty()) {
    throw UsageError("no workload named", "'wavewright workload gen --list' shows them");
  }
  std::map<std::string, std::string> settings;
  for (const std::string& each : flags.settings) {
    const auto equals = each.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--set {} is not key=value", each),
                       "write it like --set mean_gap_ms=1000");
    }
    settings[each.substr(0, equals)] = each.substr(equals + 1);
  }
  if (flags.jobs) settings["jobs"] = std::to_string(*flags.jobs);
  const Generator& chosen = generator(flags.name);
  const Workload workload = generate(chosen, context.seed, settings);
  write_out(context, workload, flags.out);
  Json document = {{"workload", chosen.name}, {"seed", context.seed}, {"out", flags.out}};
  document.update(counts_of(workload));
  Json parameters = Json::object();
  for (const GeneratorParameter& p : chosen.parameters) {
    parameters[p.name] = settings.contains(p.name) ? settings[p.name] : p.default_value;
  }
  document["parameters"] = parameters;
  if (context.json) {
    context.print(document);
  } else {
    context.note(fmt::format("{}: {} jobs, {} maps, {} reduces (seed {})", chosen.name,
                             document["jobs"].get<Count>(), document["maps"].get<Count>(),
                             document["reduces"].get<Count>(), context.seed));
  }
  return 0;
}

}  // namespace

void add_workload_gen(CLI::App& workload, Context& context) {
  auto flags = std::make_shared<GenFlags>();
  CLI::App* gen = workload.add_subcommand("gen", "Generate one of the papers' workloads");
  gen->footer("Example: wavewright workload gen m45-bimodal --jobs 100 --seed 7 --out m45.jsonl");
  offer_names(gen->add_option("name", flags->name, "which one; --list shows them")->type_name("NAME"),
              generators());
  gen->add_flag("--list", flags->list, "the workloads, their sources and parameters");
  gen->add_option("--jobs", flags->jobs, "number of jobs")->type_name("N");
  gen->add_option("--set", flags->settings, "a parameter: key=value; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  gen->add_option("--out", flags->out, "file to write (default: standard output)")->type_name("FILE");
  gen->callback(
      [flags, &context] { context.run = [flags, &context] { return generate_to(context, *flags); }; });
}

}  // namespace wavewright::app
