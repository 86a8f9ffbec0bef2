#include "wavewright/sched/policy_spec.h"

#include "wavewright/core/error.h"
#include "wavewright/core/nearest.h"
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

std::unique_ptr<Allocator> fifo_from(const PolicySpec& spec) {
  if (!spec.positional.empty() || !spec.parameters.empty())
    throw UsageError("policy 'fifo' takes no arguments");
  return make_fifo();
}

std::unique_ptr<Allocator> plan_from(const PolicySpec& spec) {
  if (spec.positional.size() != 1 || !spec.parameters.empty()) {
    throw UsageError("policy 'plan' takes one argument, the plan's file", "write plan(FILE)");
  }
  return std::make_unique<FilePlan>(read_plan(spec.positional.front()));
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
      {"fifo", "fifo", "jobs in order of submission", fifo_from},
      {"plan", "plan(FILE)", "the order and pools of a plan that 'wavewright plan --out FILE' wrote",
       plan_from},
  };
  return entries;
}

std::unique_ptr<Allocator> make_policy(std::string_view text) {
  const PolicySpec spec = parse_policy_spec(text);
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policy_entries()) {
    if (entry.name == spec.name) return entry.make(spec);
    names.push_back(entry.name);
  }
  throw UsageError("unknown policy '" + spec.name + "'", suggestion(spec.name, names));
}

}  // namespace wavewright
