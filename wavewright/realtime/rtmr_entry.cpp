#include <fmt/format.h>

#include "wavewright/core/error.h"
#include "wavewright/realtime/containers/container_rtmr.h"
#include "wavewright/realtime/need_slots.h"
#include "wavewright/realtime/rtmr.h"

namespace wavewright {

namespace {

QueueOrder read_order(Parameters& parameters) {
  const std::string order = parameters.word("order", {"started", "deadline", "any"}, "started");
  return order == "started"    ? QueueOrder::started
         : order == "deadline" ? QueueOrder::deadline
                               : QueueOrder::any;
}

void need_no_placer_if_promised(Parameters& parameters, const PolicyContext& context,
                                const BlockReads& reads) {
  const bool promises = reads.of != BlockReads::Of::near &&
                        parameters.word("admission", {"deadline", "all"}, "deadline") == "deadline";
  if (promises)
    need_no_placer("rtmr", context, "write it without a placer, or with reads=near, which is no promise");
}

bool read_offers(Parameters& parameters) {
  return parameters.word("offer", {"yes", "no"}, "yes") == "yes";
}

// With containers everything is placed anew before each admission.
std::unique_ptr<Allocator> on_containers(Parameters& parameters, const PolicyContext& context) {
  ContainerRtmrOptions options;
  options.bound = read_task_bound(parameters);
  const auto only_on_slots = [&](const std::string& what, const char* remedy) {
    if (parameters.given(what.substr(0, what.find('='))))
      throw UsageError(
          fmt::format("policy 'rtmr': {} is for slots, and this cluster gives out containers", what), remedy);
  };
  if (parameters.word("feedback", {"none", "jobs", "tasks"}, "tasks") != "tasks")
    only_on_slots("feedback", "leave it out: with containers it is always feedback=tasks");
  only_on_slots("series", "leave it out: instances are asked about one by one");
  only_on_slots("slots", "leave it out");
  only_on_slots("threshold", "leave it out");
  options.order = read_order(parameters);
  options.reads = read_block_reads(parameters, context);
  if (options.reads.of == BlockReads::Of::blocks)
    only_on_slots("reads=blocks", "give reads=far, or reads=near, which is no promise");
  options.admits_all = parameters.word("admission", {"deadline", "all"}, "deadline") == "all";
  options.offers = read_offers(parameters);
  need_no_placer_if_promised(parameters, context, options.reads);
  options.room = context.room;
  if (!context.room.gives_all)
    throw UsageError(
        "policy 'rtmr': nodes of this cluster give only some containers a heartbeat, and nothing can be "
        "promised",
        "leave out per_heartbeat and off_switch_per_heartbeat");
  options.waits = {.asks = context.room.asks,
                   .heartbeat = context.delays.first,
                   .launch = context.delays.launch,
                   .start = context.delays.setup,
                   .finish = context.delays.commit,
                   .stop = context.room.stop};
  return make_container_rtmr(options);
}

}  // namespace

PolicyEntry rtmr_entry() {
  return {
      .name = "rtmr",
      .description = "jobs are accepted only if all accepted ones surely end by their deadlines",
      .parameters =
          {task_bound_parameter(),
           {"feedback", "none|jobs|tasks",
            "what corrects the estimates: ends of jobs, or of tasks (jobs; with containers tasks)"},
           {"order", "started|deadline|any",
            "who goes first: jobs that have started, those due first, or as it fits (started)"},
           {"series", "NAME/TIME/N",
            "N jobs of that name, from 2 to 10000, one each TIME, are accepted together or not "
            "(none)"},
           block_reads_parameter(),
           {"slots", "all|fewest", "fewest: a job holds no more slots than it needs to be in time (all)"},
           {"threshold", "TIME", "ends of jobs that differ by less correct nothing (0)"},
           {"admission", "deadline|all", "all: nothing is rejected (deadline)"},
           {"offer", "yes|no",
            "no: a rejection tells no earliest deadline, which takes long where many jobs wait (yes)"}},
      .allocator = [](Parameters& parameters, const PolicyContext& context) -> std::unique_ptr<Allocator> {
        if (context.containers) return on_containers(parameters, context);
        RtmrOptions options;
        options.bound = read_task_bound(parameters);
        const std::string feedback = parameters.word("feedback", {"none", "jobs", "tasks"}, "jobs");
        options.admission.feedback = feedback == "none"   ? Feedback::none
                                     : feedback == "jobs" ? Feedback::jobs
                                                          : Feedback::tasks;
        options.admission.order = read_order(parameters);
        const bool by_start = options.admission.order == QueueOrder::started;
        if (!by_start && options.admission.feedback != Feedback::tasks)
          throw UsageError("policy 'rtmr': started jobs give way only with feedback=tasks",
                           "add feedback=tasks, or leave out order");
        if (parameters.given("series")) {
          const std::string text = parameters.text("series");
          const auto series = parse_series(text);
          if (const auto job = job_named_twice(text))
            throw UsageError("policy 'rtmr': two series of job '" + *job + "'", "write one series a job");
          if (const auto one = series_too_long(text))
            throw UsageError(fmt::format("policy 'rtmr': series '{}' has more than {} instances", *one,
                                         Series::most_times),
                             "give fewer instances");
          if (!series)
            parameters.refuse("series", "series", "write it like nightly/24h/30, several with | between");
          if (by_start)
            throw UsageError("policy 'rtmr': a series is promised only where started jobs give way",
                             "add feedback=tasks and order=deadline, or order=any");
          options.series = *series;
        }
        options.admission.defers = true;
        options.admission.threshold = parameters.duration("threshold", Duration{});
        if (parameters.given("threshold") && feedback != "jobs")
          throw UsageError("policy 'rtmr': a threshold is of ends of jobs, which only feedback=jobs compares",
                           "leave out threshold, or give feedback=jobs");
        options.admission.delays = context.delays;
        options.admission.delays.setup = {};  // over when a job arrives
        options.reads = read_block_reads(parameters, context);
        options.admission.fewest_slots = parameters.word("slots", {"all", "fewest"}, "all") == "fewest";
        if (options.admission.fewest_slots && (!by_start || feedback == "tasks"))
          throw UsageError(
              "policy 'rtmr': jobs hold the fewest slots with order=started, and feedback=jobs or none",
              "leave out slots=fewest, or the others");
        if (options.admission.fewest_slots)
          need_all_starts("rtmr", "slots=fewest", context, "leave out slots=fewest");
        options.admits_all = parameters.word("admission", {"deadline", "all"}, "deadline") == "all";
        options.admission.tells_deadline = read_offers(parameters);
        need_no_placer_if_promised(parameters, context, options.reads);
        return make_rtmr(options);
      }};
}

}  // namespace wavewright
