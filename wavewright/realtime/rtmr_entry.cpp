#include "wavewright/core/error.h"
#include "wavewright/realtime/need_slots.h"
#include "wavewright/realtime/rtmr.h"

namespace wavewright {

PolicyEntry rtmr_entry() {
  return {.name = "rtmr",
          .description = "jobs are accepted only if all accepted ones surely end by their deadlines",
          .parameters = {task_bound_parameter(),
                         {"feedback", "none|jobs|tasks",
                          "what corrects the estimates: ends of jobs, or of tasks (jobs)"},
                         {"order", "started|deadline|any",
                          "who goes first: jobs that have started, those due first, or as it fits (started)"},
                         {"series", "NAME/TIME/N",
                          "N jobs of that name, one each TIME, are accepted together or not (none)"},
                         block_reads_parameter(),
                         {"slots", "all|fewest",
                          "fewest: a job holds no more slots than it needs to be in time (all)"},
                         {"threshold", "TIME", "ends of jobs that differ by less correct nothing (0)"},
                         {"admission", "deadline|all", "all: nothing is rejected (deadline)"}},
          .allocator = [](Parameters& parameters, const PolicyContext& context) {
            need_slots("rtmr", context);
            RtmrOptions options;
            options.bound = read_task_bound(parameters);
            const std::string feedback = parameters.word("feedback", {"none", "jobs", "tasks"}, "jobs");
            options.admission.feedback = feedback == "none"   ? Feedback::none
                                         : feedback == "jobs" ? Feedback::jobs
                                                              : Feedback::tasks;
            const std::string order = parameters.word("order", {"started", "deadline", "any"}, "started");
            options.admission.order = order == "started"    ? QueueOrder::started
                                      : order == "deadline" ? QueueOrder::deadline
                                                            : QueueOrder::any;
            if (order != "started" && options.admission.feedback != Feedback::tasks)
              parameters.refuse("order", "order", "started jobs give way only with feedback=tasks");
            if (parameters.given("series")) {
              const std::string text = parameters.text("series");
              const auto series = parse_series(text);
              if (const auto job = job_named_twice(text))
                throw UsageError("policy 'rtmr': two series of job '" + *job + "'", "write one series a job");
              if (!series)
                parameters.refuse("series", "series", "write it like nightly/24h/30, several with | between");
              if (order == "started")
                parameters.refuse("series", "series", "series are promised with order=deadline or order=any");
              options.series = *series;
            }
            options.admission.threshold = parameters.duration("threshold", Duration{});
            options.admission.delays = context.delays;
            options.admission.delays.setup = {};  // over when a job arrives
            options.reads = read_block_reads(parameters, context);
            options.admission.fewest_slots = parameters.word("slots", {"all", "fewest"}, "all") == "fewest";
            if (options.admission.fewest_slots && (order != "started" || feedback == "tasks"))
              parameters.refuse("slots", "slots",
                                "jobs hold the fewest slots with order=started, and feedback=jobs or none");
            options.admits_all = parameters.word("admission", {"deadline", "all"}, "deadline") == "all";
            return make_rtmr(options);
          }};
}

}  // namespace wavewright
