#include "wavewright/sched/policy_spec.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
#include "wavewright/sched/capacity.h"
#include "wavewright/sched/delay.h"
#include "wavewright/sched/fair.h"
#include "wavewright/sched/fifo.h"
#include "wavewright/sched/plan_file.h"
#include "wavewright/sched/plan_policy.h"

namespace wavewright {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw UsageError("'" + std::string(text) + "' is not a policy", "write name or name(argument, key=value)");
}

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

// Owns the plan that the policy executes.
class FilePlan final : public Allocator {
 public:
  explicit FilePlan(Plan plan) : plan_(std::move(plan)), policy_(make_plan_policy(plan_)) {}
  [[nodiscard]] std::string name() const override { return policy_->name(); }
  [[nodiscard]] Features needs() const override { return policy_->needs(); }
  [[nodiscard]] EventSet subscribes() const override { return policy_->subscribes(); }
  void begin(const View& view, Decisions& decisions) override { policy_->begin(view, decisions); }
  void on(const Event& event, const View& view, Decisions& decisions) override {
    policy_->on(event, view, decisions);
  }

 private:
  Plan plan_;
  std::unique_ptr<Allocator> policy_;
};

// Takes a policy's parameters by name and refuses what is left.
class Parameters {
 public:
  explicit Parameters(const PolicySpec& spec) : spec_(spec) {}

  [[nodiscard]] std::string word(const std::string& key, const std::vector<std::string>& words) {
    const std::string value = text(key, words.front());
    if (std::find(words.begin(), words.end(), value) != words.end()) return value;
    throw UsageError("policy '" + spec_.name + "': unknown " + key + " '" + value + "'",
                     suggestion(value, words));
  }
  // The one argument without a name, or the one called `key`.
  [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise) {
    known_.push_back(key);
    for (const auto& [name, value] : spec_.parameters) {
      if (name == key) return value;
    }
    return otherwise;
  }
  [[nodiscard]] std::string positional(const std::string& otherwise) const {
    return spec_.positional.empty() ? otherwise : spec_.positional.front();
  }
  void refuse_others(std::size_t positionals) const {
    if (spec_.positional.size() > positionals) {
      throw UsageError("policy '" + spec_.name + "' does not take '" + spec_.positional[positionals] + "'",
                       "'wavewright simulate --help' lists the policies");
    }
    for (const auto& [name, value] : spec_.parameters) {
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      throw UsageError("policy '" + spec_.name + "' has no parameter '" + name + "'",
                       suggestion(name, known_));
    }
  }

 private:
  const PolicySpec& spec_;
  std::vector<std::string> known_;
};

std::unique_ptr<Allocator> fifo_from(const PolicySpec& spec, const PolicyContext&) {
  if (!spec.positional.empty() || !spec.parameters.empty())
    throw UsageError("policy 'fifo' takes no arguments");
  return make_fifo();
}

std::unique_ptr<Allocator> plan_from(const PolicySpec& spec, const PolicyContext&) {
  if (spec.positional.size() != 1 || !spec.parameters.empty()) {
    throw UsageError("policy 'plan' takes one argument, the plan's file", "write plan(FILE)");
  }
  return std::make_unique<FilePlan>(read_plan(spec.positional.front()));
}

// Percent; none where nothing limits them.
std::optional<double> masters_part(const std::string& text) {
  if (text == "any") return std::nullopt;
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  constexpr double whole = 100;
  if (error == std::errc{} && end == text.data() + text.size() && percent > 0 && percent <= whole)
    return percent / whole;
  throw UsageError("policy 'fair': masters is '" + text + "'",
                   "give the percentage of a queue's fair share that masters may have, or any");
}

std::unique_ptr<Allocator> fair_from(const PolicySpec& spec, const PolicyContext& context) {
  Parameters parameters(spec);
  FairOptions options;
  options.queues = context.queues;
  options.fifo_within = parameters.word("within", {"fair", "fifo"}) == "fifo";
  options.by_user = parameters.word("pools", {"queues", "users"}) == "users";
  const std::string minimum = parameters.text("preempt", "");
  const std::string share = parameters.text("preempt_share", "");
  const std::string masters = parameters.text("masters", "50");
  parameters.refuse_others(0);
  if (!minimum.empty() || !share.empty()) {
    options.preemption.emplace();
    if (!minimum.empty()) options.preemption->minimum_timeout = parse_duration(minimum);
    if (!share.empty()) options.preemption->share_timeout = parse_duration(share);
  }
  if (context.containers && options.preemption) {
    throw UsageError("policy 'fair' needs preemption, which the simulator with containers cannot enforce",
                     "leave preempt and preempt_share out");
  }
  const std::optional<double> part = masters_part(masters);
  if (context.containers) options.masters = part;
  return make_fair(options);
}

std::unique_ptr<Allocator> capacity_from(const PolicySpec& spec, const PolicyContext& context) {
  Parameters(spec).refuse_others(0);
  return make_capacity(context.queues);
}

std::unique_ptr<Placer> delay_from(const PolicySpec& spec) {
  Parameters parameters(spec);
  DelayOptions options;
  options.node = parse_duration(parameters.text("node", parameters.positional("3s")));
  options.rack = parse_duration(parameters.text("rack", "0s"));
  parameters.refuse_others(1);
  return make_delay(options);
}

// The parts that a `+` outside of parentheses separates.
std::vector<std::string> split_parts(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == '+' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

const PolicyEntry& entry_of(const PolicySpec& spec, bool placer) {
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_entries()) {
    if ((entry.placer != nullptr) != placer) {
      if (entry.name != spec.name) continue;
      throw UsageError(
          "'" + spec.name +
              (placer ? "' orders jobs, it does not place tasks" : "' places tasks, it does not order jobs"),
          "write ALLOCATOR+PLACER, like fair+delay(3s)");
    }
    if (entry.name == spec.name) return entry;
    names.push_back(entry.name);
  }
  throw UsageError(std::string("unknown ") + (placer ? "placer" : "policy") + " '" + spec.name + "'",
                   suggestion(spec.name, names));
}

}  // namespace

PolicySpec parse_policy_spec(std::string_view text) {
  PolicySpec spec;
  const auto open = text.find('(');
  spec.name = trim(text.substr(0, open));
  if (spec.name.empty() || spec.name.find_first_of("),=") != std::string::npos) refuse(text);
  if (open == std::string_view::npos) return spec;
  if (text.back() != ')') refuse(text);
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  while (!trim(inside).empty()) {
    const auto comma = inside.find(',');
    const std::string argument = trim(inside.substr(0, comma));
    if (argument.empty()) refuse(text);
    if (const auto equals = argument.find('='); equals != std::string::npos) {
      spec.parameters.emplace_back(trim(argument.substr(0, equals)), trim(argument.substr(equals + 1)));
    } else {
      spec.positional.push_back(argument);
    }
    inside = comma == std::string_view::npos ? std::string_view{} : inside.substr(comma + 1);
  }
  return spec;
}

const std::vector<PolicyEntry>& policy_entries() {
  static const std::vector<PolicyEntry> entries = {
      {"fifo", "fifo", "jobs in order of submission", fifo_from, nullptr},
      {"plan", "plan(FILE)", "the order and pools of a plan that 'wavewright plan --out FILE' wrote",
       plan_from, nullptr},
      {"fair",
       "fair(within=fair|fifo, pools=queues|users, preempt=TIME, preempt_share=TIME, masters=PERCENT|any)",
       "slots shared by weight and minimum", fair_from, nullptr},
      {"capacity", "capacity", "queues with guarantees, maxima and user limits", capacity_from, nullptr},
      {"delay", "+delay(NODE, rack=TIME)", "jobs wait so long for a node with their block, then for its rack",
       nullptr, delay_from},
  };
  return entries;
}

Policy make_policy(std::string_view text, const PolicyContext& context) {
  const std::vector<std::string> parts = split_parts(text);
  if (parts.size() > 2) refuse(text);
  const PolicySpec allocator = parse_policy_spec(trim(parts.front()));
  Policy policy{entry_of(allocator, false).allocator(allocator, context), nullptr};
  if (parts.size() == 2) {
    const PolicySpec placer = parse_policy_spec(trim(parts.back()));
    policy.placer = entry_of(placer, true).placer(placer);
  }
  return policy;
}

Policy make_policy_on(std::string_view text, const Cluster& cluster) {
  Policy policy = make_policy(text, {cluster.queues, cluster.mode.kind == ClusterMode::Kind::containers});
  if (policy.placer && cluster.reads.kind == Reads::Kind::anywhere) {
    throw UsageError(
        "placer '" + policy.placer->name() + "' needs blocks with places, which this cluster has not",
        "describe them in its file (--cluster): [reads] kind = \"slowdown\" or \"network\"");
  }
  return policy;
}

}  // namespace wavewright
