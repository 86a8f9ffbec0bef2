#include "wavewright/energy/efh.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wavewright/core/error.h"
#include "wavewright/energy/efh_jobs.h"
#include "wavewright/energy/relevance.h"
#include "wavewright/sched/placers/names_nodes.h"

namespace wavewright {

namespace {

class Efh final : public Allocator {
 public:
  explicit Efh(std::shared_ptr<EfhJobs> jobs) : jobs_(std::move(jobs)) {}

  [[nodiscard]] std::string name() const override { return "efh"; }
  [[nodiscard]] Features needs() const override {
    return Feature::caps | Feature::node_classes | Feature::timers;
  }
  [[nodiscard]] EventSet subscribes() const override {
    using enum Event::What;
    return arrived | started | ended | lost | finished | node_up | node_down | node_notice | timer;
  }
  void begin(const View& view, Decisions&) override { jobs_->begin(view); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    using enum Event::What;
    if (event.what != ended && event.what != started) return happened(event, view, decisions);
    if (event.kind != Kind::map) return;
    if (event.what == started) return jobs_->started(event, view);
    jobs_->left(event, view);
    jobs_->round(event.job, view, decisions);
  }

 private:
  // All but starts and ends, which are most events.
  [[gnu::noinline]] void happened(const Event& event, const View& view, Decisions& decisions) {
    using enum Event::What;
    if (takes_part(event, view, decisions)) jobs_->round(job_of(event), view, decisions);
    if (event.what == arrived) decisions.admit(event.job, root_group);
  }
  // Notes what happened. True if containers are to be given out anew.
  bool takes_part(const Event& event, const View& view, Decisions& decisions) {
    using enum Event::What;
    switch (event.what) {
      case arrived:
        if (const std::optional<Time> patience = jobs_->add(event.job, event.at, view))
          decisions.set_timer(std::max(*patience, view.now()), event.job);
        return true;
      case lost: {
        const bool avoids_more = jobs_->avoids_more(event, view);
        if (event.kind == Kind::map) jobs_->left(event, view);
        return avoids_more || event.kind == Kind::map;
      }
      case finished:
        return jobs_->remove(event.job, view);
      case node_up:
      case node_down:
      case node_notice:
        jobs_->node_changed(event.node, view);
        return true;
      default:
        return event.what == timer;
    }
  }

  // The job whose holdings or wishes the event changed.
  [[nodiscard]] static std::optional<JobIndex> job_of(const Event& event) {
    using enum Event::What;
    const bool has_one = event.what == arrived || event.what == lost;
    return has_one ? std::optional(event.job) : std::nullopt;
  }

  std::shared_ptr<EfhJobs> jobs_;
};

// Starts the tasks that were sent to the node.
class EfhPlacer final : public Placer, public NamesNodes {
 public:
  explicit EfhPlacer(std::shared_ptr<EfhJobs> jobs) : jobs_(std::move(jobs)) {}

  [[nodiscard]] std::string name() const override { return "efh"; }
  [[nodiscard]] Features needs() const override { return Features::of(Feature::placement); }
  [[nodiscard]] EventSet subscribes() const override { return {}; }
  void on(const Event&, const View&, Decisions&) override {}
  [[nodiscard]] std::span<const std::uint64_t> nodes_for_maps() const override {
    return jobs_->nodes_sent_to();
  }
  [[nodiscard]] std::optional<TaskChoice> place(const Offer& offer, Candidates& candidates, const View&,
                                                Decisions&) override {
    if (offer.kind == Kind::map) {
      if (!jobs_->sent_to(offer.node)) return std::nullopt;
      if (const std::optional<JobIndex> job = jobs_->only_job_sent_to(offer.node))
        return candidates.may_start(*job) ? start(*job, offer.node) : std::nullopt;
    }
    while (const std::optional<JobIndex> job = candidates.next()) {
      if (offer.kind == Kind::reduce) {
        if (const auto choice = candidates.closest(*job, Locality::off_rack)) return choice;
      } else if (const auto choice = start(*job, offer.node)) {
        return choice;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<TaskChoice> start(JobIndex job, NodeIndex node) {
    const std::optional<TaskIndex> task = jobs_->take(job, node);
    if (!task) return std::nullopt;
    return TaskChoice{job, *task, Locality::off_rack};  // a driver finds out itself how near it is
  }

  std::shared_ptr<EfhJobs> jobs_;
};

}  // namespace

Policy make_efh(const EfhOptions& options, bool places) {
  const auto jobs = std::make_shared<EfhJobs>(options, places);
  Policy policy{std::make_unique<Efh>(jobs), nullptr};
  if (places) policy.placer = std::make_unique<EfhPlacer>(jobs);
  return policy;
}

Reason why_it_waits(const EfhOptions& options, const View& view, JobIndex job, Count wanted, Count all) {
  const std::vector<bool> relevant = relevant_classes(view, job, options.adaptive);
  std::vector<std::string> classes;
  for (ClassId c = 0; c < relevant.size(); ++c) {
    if (relevant[c])
      classes.push_back(fmt::format("class '{}' (label '{}')", view.class_name(c), view.class_label(c)));
  }
  const bool anywhere = classes.size() == relevant.size();
  std::string there = "the cluster has";
  if (!anywhere)
    there = fmt::format("{} {}", fmt::join(classes, " and "), classes.size() == 1 ? "has" : "have");
  NodeIndex avoided = 0;
  for (NodeIndex node = 0; node < view.nodes(); ++node)
    avoided += relevant[view.node_class(node)] && view.blacklisted(job, node) ? 1 : 0;
  Reason why;
  why.code = all > 0 ? "MoreThanAllContainers" : "NoContainers";
  why.text = fmt::format("It asks for {} container{} at once, and {} {}.", wanted, wanted == 1 ? "" : "s",
                         there, all > 0 ? std::to_string(all) : "none");
  if (avoided > 0) {
    why.text += fmt::format(" It avoids {} node{} there after failures (blacklist_after).", avoided,
                            avoided == 1 ? "" : "s");
  }
  if (all > 0 && !options.threshold) {
    why.remedy = "lower the threshold (threshold=60s), clamp what it asks for (oversize=clamp), or add nodes";
  } else if (all == 0 && !anywhere) {
    why.remedy = "add nodes there with map slots, or let it run on other classes, too (adaptive=yes)";
  }
  return why;
}

PolicyEntry efh_entry() {
  return {
      .name = "efh",
      .description = "maps go where they take least energy and have their blocks; jobs that wait long first",
      .parameters = {{"adaptive", "yes|no", "no: jobs that ask for a label run only on nodes with it (yes)"},
                     {"threshold", "TIME|never", "jobs that have waited so long go first (60s)"},
                     {"oversize", "clamp|wait",
                      "jobs with more maps than containers ask for all containers, or wait (clamp)"}},
      .both = [](Parameters& parameters, const PolicyContext& context) {
        if (context.containers) {
          throw UsageError("policy 'efh' gives out slots, and this cluster gives out containers",
                           "use a cluster file with kind = \"slots\", a slot for each container");
        }
        if (context.placer) {
          throw UsageError("policy 'efh' places tasks itself", "write it without a placer");
        }
        EfhOptions options;
        options.adaptive = parameters.word("adaptive", {"yes", "no"}, "yes") == "yes";
        const std::string threshold = parameters.text("threshold", "60s");
        options.threshold = threshold == "never" ? std::nullopt : std::optional(parse_duration(threshold));
        options.clamp = parameters.word("oversize", {"clamp", "wait"}, "clamp") == "clamp";
        return make_efh(options, context.places);
      }};
}

}  // namespace wavewright
