#include "wavewright/cloud/deadline/policies.h"

#include <utility>

#include "wavewright/cloud/deadline/autoscaler.h"
#include "wavewright/cloud/deadline/deadline_cost.h"
#include "wavewright/cloud/deadline/edf.h"
#include "wavewright/cloud/deadline/epedf.h"
#include "wavewright/cloud/deadline/evedf.h"
#include "wavewright/cloud/deadline/fixed_size.h"
#include "wavewright/cloud/deadline/least_slack.h"
#include "wavewright/cloud/deadline/mdasa.h"
#include "wavewright/cloud/deadline/ndasa.h"
#include "wavewright/core/error.h"

namespace wavewright {

namespace {

const std::vector<Parameter> shared = {
    {"slots", "low|average|up|wave|linear|N%", "estimate by which slots are counted (average)"},
    {"admission", "all|deadline", "deadline: jobs that cannot be in time are rejected (all)"},
    {"machines", "none|on-demand|spot|hybrid", "machines to rent for the slots that lack (none)"},
    {"bid", "USD", "most to pay for a spot machine's hour (the price on demand)"},
    {"class", "NAME", "node class to rent (the first for rent)"},
    {"most", "MACHINES", "rented at once (all that are for rent)"},
    {"idle", "hour|TIME", "when idle machines go back: after TIME, or when the paid hour ends (by billing)"},
    {"outputs", "job|read", "map output keeps a machine until the job ends, or its last reduce starts (job)"},
    {"boot", "counted|ignored", "does booting count for the time left? (counted)"},
};

SlotEstimator slots_of(Parameters& parameters) {
  const std::string text = parameters.text("slots", "average");
  if (text == "low") return {TimeModel::low};
  if (text == "average") return {TimeModel::bounds};
  if (text == "up") return {TimeModel::up};
  if (text == "wave") return {TimeModel::wave};
  if (text == "linear") return {TimeModel::simple};
  if (text.empty() || (text.front() >= '0' && text.front() <= '9'))
    return {TimeModel::wave, parameters.share("slots")};
  parameters.refuse("slots", "estimate", "give low, average, up, wave, linear, or a percentile like 90%");
}

MachineOptions machines_of(Parameters& parameters, const std::string& outputs) {
  MachineOptions options;
  const std::string market = parameters.word("machines", {"none", "on-demand", "spot", "hybrid"}, "none");
  for (const char* key : {"bid", "class", "most", "idle", "outputs", "boot"}) {
    if (market == "none" && parameters.given(key))
      parameters.refuse(key, "parameter of a policy that rents nothing",
                        "add machines=on-demand, spot or hybrid");
  }
  if (market == "none") return options;
  options.market = market == "on-demand" ? MachineMarket::on_demand
                   : market == "spot"    ? MachineMarket::spot
                                         : MachineMarket::hybrid;
  if (parameters.given("bid"))
    options.bid = from_usd(parameters.number("bid", {}, {.least = 0.0, .most = 1e6}));
  options.node_class = parameters.text("class", "");
  options.most = parameters.whole("most", unlimited, {.least = 1});
  options.to_paid_hour = parameters.text("idle", "") == "hour";
  options.until_read = parameters.word("outputs", {"job", "read"}, outputs) == "read";
  if (parameters.given("idle") && !options.to_paid_hour) options.keep = parameters.duration("idle");
  return options;
}

DeadlineOptions options_of(Parameters& parameters, const std::string& outputs) {
  DeadlineOptions options;
  options.slots = slots_of(parameters);
  options.admission = parameters.word("admission", {"all", "deadline"}, "all") == "deadline";
  options.count_boot = parameters.word("boot", {"counted", "ignored"}, "counted") == "counted";
  options.machines = machines_of(parameters, outputs);
  return options;
}

const std::vector<Parameter> autoscaler_parameters = {
    {"out", "SHARE", "rents if a smaller share of the slots is free (15%)"},
    {"in", "SHARE", "gives back if a larger share is free (75%)"},
    {"pending", "TASKS", "rents if more tasks wait for each that runs (0.75)"},
    {"step", "SHARE", "of the machines that come or go at once (20%)"},
    {"period", "TIME", "between looks (60s)"},
    {"cooldown", "TIME", "after machines were rented (300s)"},
    {"least", "MACHINES", "kept (1)"},
};

AutoscalerOptions autoscaler_of(Parameters& parameters) {
  AutoscalerOptions own;
  own.out = parameters.share("out", own.out);
  own.in = parameters.share("in", own.in);
  own.pending = parameters.number("pending", own.pending, {.least = 0.0});
  own.step = parameters.share("step", own.step);
  own.period = parameters.duration("period", own.period, {.least = ms(1)});
  own.cooldown = parameters.duration("cooldown", own.cooldown);
  own.least = parameters.whole("least", own.least, {.least = 0});
  return own;
}

// `make` gets the shared options, then reads its own parameters. `outputs`: the default of that parameter.
template <class Make>
PolicyEntry entry(std::string name, std::string description, std::vector<Parameter> own, Make make,
                  const std::string& outputs = "job") {
  own.insert(own.end(), shared.begin(), shared.end());
  return {.name = std::move(name),
          .description = std::move(description),
          .parameters = std::move(own),
          .allocator = [make, outputs](Parameters& parameters, const PolicyContext&) {
            return make(options_of(parameters, outputs), parameters);
          }};
}

}  // namespace

std::vector<PolicyEntry> deadline_policies() {
  return {
      entry("edf", "the earliest deadline goes first", {},
            [](const DeadlineOptions& options, Parameters&) { return make_edf(options); }),
      entry("least-slack", "the job with the least time to spare goes first", {},
            [](const DeadlineOptions& options, Parameters&) { return make_least_slack(options); }),
      entry("epedf", "jobs wait for the end of an epoch; then the earliest deadline goes first",
            {{"epoch", "TIME", "length of an epoch (60s)", true}},
            [](const DeadlineOptions& options, Parameters& parameters) {
              EpedfOptions own;
              own.epoch = parameters.duration("epoch", own.epoch, {.least = ms(1)});
              return make_epedf(options, own);
            }),
      entry("evedf", "jobs wait until the cluster is little used; then the earliest deadline goes first",
            {{"utilisation", "SHARE", "little: a smaller share of the slots is in use (0.8)"},
             {"load", "TASKS", "little: fewer tasks wait for each slot (0.5)"}},
            [](const DeadlineOptions& options, Parameters& parameters) {
              EvedfOptions own;
              own.utilisation = parameters.share("utilisation", own.utilisation);
              own.load = parameters.number("load", own.load, {.least = 0.0});
              return make_evedf(options, own);
            }),
      entry("ndasa", "each job gets the slots that it needs, from idle ones and rented machines", {},
            [](const DeadlineOptions& options, Parameters&) { return make_ndasa(options); }),
      entry("mdasa", "as ndasa, but busy slots that end tasks in time are taken first",
            {{"ahead", "SHARE", "of the time until a job's end in which a busy slot must be free (1)"}},
            [](const DeadlineOptions& options, Parameters& parameters) {
              return make_mdasa(options, {.ahead = parameters.share("ahead", 1)});
            }),
      entry("autoscaler", "as edf, but machines come and go by thresholds of utilisation",
            autoscaler_parameters,
            [](const DeadlineOptions& options, Parameters& parameters) {
              return make_autoscaler(options, autoscaler_of(parameters));
            }),
      entry("fixed-size", "as edf, on a cluster of one size",
            {{"size", "MACHINES", "rented when the first job arrives, to the end (1)", true}},
            [](const DeadlineOptions& options, Parameters& parameters) {
              return make_fixed_size(options, parameters.whole("size", 1, {.least = 0}));
            }),
      entry(
          "deadline-cost", "the fewest machines that keep the deadlines of all jobs, by looking ahead",
          {{"late", "USD", "what an hour costs by which a job is tardy (1)"},
           {"tardy", "USD", "what a tardy job costs besides (0)"},
           {"margin", "SHARE", "of a job's slack that is left for what comes later (25%)"},
           {"spare", "MACHINES", "least number for jobs that cannot wait for a boot (1)"},
           {"memory", "TIME", "of their lateness, with which the number grows; 0 = it does not (24h)"}},
          [](const DeadlineOptions& options, Parameters& parameters) {
            DeadlineCostOptions own;
            own.price.hour = parameters.number("late", own.price.hour, {.least = 0.0});
            own.price.job = parameters.number("tardy", own.price.job, {.least = 0.0});
            own.margin = parameters.share("margin", own.margin);
            own.spare = parameters.whole("spare", own.spare, {.least = 0});
            own.memory = parameters.duration("memory", own.memory);
            return make_deadline_cost(options, own);
          },
          "read"),
  };
}

}  // namespace wavewright
