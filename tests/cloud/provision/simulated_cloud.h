// A cloud for tests that loses and repeats answers, lists late, and meters what each machine really costs.
//
// Its clock is the test's. It keeps its own record of what was asked and when each machine ran, independent
// of the ledger, and says what is wrong with it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wavewright/cloud/provision/books.h"
#include "wavewright/cloud/provision/cloud.h"
#include "wavewright/core/random.h"

namespace wavewright {

// The program was killed at this point.
struct Killed {};

struct CloudFaults {
  double kill = 0;          // at any call, before or after its effect
  double lost_request = 0;  // no effect, no answer
  double lost_answer = 0;   // the effect, but no answer
  double late_request = 0;  // no answer, and the effect some time later
  double throttled = 0;
  double refused = 0;     // of launches
  double never_up = 0;    // a machine stays pending
  double other = 0;       // another program steps meanwhile
  double revoked = 0;     // a machine ends by itself, in each second
  Duration lists_late{};  // a new machine is missing from lists for up to
  Duration boots{};       // and runs after up to
};

class SimulatedCloud : public Cloud {
 public:
  SimulatedCloud(std::uint64_t seed, CloudFaults faults) : random_(seed, "cloud"), faults_(faults) {}

  struct Machine {
    Instance instance;
    Time launched{}, listed{}, runs{}, ends_itself{};
    std::optional<Time> ended = std::nullopt;
    std::string root;  // the image of its request
  };

  [[nodiscard]] std::vector<Instance> launch(const LaunchRequest& request) override {
    kill();
    if (happens(faults_.throttled)) fail(CloudFailure::throttled);
    if (happens(faults_.refused)) {
      refused_.insert(request.token);
      fail(CloudFailure::refused);
    }
    if (happens(faults_.lost_request)) fail(CloudFailure::unsure);
    if (happens(faults_.late_request)) {
      late_.push_back({now_ + some(ms(240'000)), request});
      fail(CloudFailure::unsure);
    }
    const std::vector<Instance> made = make(request);
    kill();
    if (happens(faults_.lost_answer)) fail(CloudFailure::unsure);
    return made;
  }

  [[nodiscard]] std::vector<Instance> instances(const std::string&) override {
    kill();
    if (happens(faults_.throttled)) fail(CloudFailure::throttled);
    if (happens(faults_.lost_request)) fail(CloudFailure::unsure);
    std::vector<Instance> listed;
    for (const auto& [id, machine] : machines_)
      if (now_ >= machine.listed && !(machine.ended && now_ - *machine.ended > ms(3'600'000)))
        listed.push_back(machine.instance);
    kill();
    return listed;
  }

  void terminate(const std::vector<std::string>& ids) override {
    kill();
    if (happens(faults_.throttled)) fail(CloudFailure::throttled);
    if (happens(faults_.lost_request)) fail(CloudFailure::unsure);
    for (const std::string& id : ids) end(machines_.at(id), now_);
    kill();
    if (happens(faults_.lost_answer)) fail(CloudFailure::unsure);
  }

  void advance(Duration time) {
    const Time then = now_ + time;
    std::erase_if(late_, [&](const auto& each) {  // each at its own time
      if (each.first > then) return false;
      now_ = each.first;
      (void)make(each.second);
      return true;
    });
    now_ = then;
    for (auto& [id, machine] : machines_) {
      if (machine.ended) continue;
      if (now_ >= machine.ends_itself || happens(faults_.revoked * static_cast<double>(to_ms(time)) / 1000.0))
        end(machine, std::min(now_, machine.ends_itself));
      else if (now_ >= machine.runs)
        machine.instance.state = InstanceState::running;
    }
  }

  // What another program does, in the middle of a call.
  void meanwhile(std::function<void()> what) { meanwhile_ = std::move(what); }

  // No more faults; what is under way arrives.
  void heal() { faults_ = {.lists_late = faults_.lists_late, .boots = faults_.boots}; }
  void fault(const CloudFaults& faults) { faults_ = faults; }

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] const std::map<std::string, Machine>& machines() const { return machines_; }
  [[nodiscard]] Count alive(const std::string& token = {}) const {
    return std::count_if(machines_.begin(), machines_.end(), [&](const auto& each) {
      return !each.second.ended && (token.empty() || each.second.instance.token == token);
    });
  }
  // The bill: each machine by the millisecond, at least a minute, rounded up.
  [[nodiscard]] Money bill(Money hourly) const {
    Money sum;
    for (const auto& [id, machine] : machines_) {
      const Time until = machine.ended.value_or(now_);
      const std::int64_t billed = std::max<std::int64_t>(60'000, to_ms(until - machine.launched));
      sum += Money{(hourly.micro_usd * billed + 3'599'999) / 3'600'000};
    }
    return sum;
  }
  [[nodiscard]] bool has_late_requests() const { return !late_.empty(); }
  [[nodiscard]] bool has_refused(const std::string& token) const { return refused_.contains(token); }

 private:
  bool happens(double chance) { return chance > 0 && random_.unit() < chance; }
  void kill() {
    if (meanwhile_ && !within_ && happens(faults_.other)) {
      within_ = true;
      meanwhile_();
      within_ = false;
    }
    if (happens(faults_.kill)) throw Killed();
  }
  Duration some(Duration most) { return ms(random_.integer(0, to_ms(most))); }
  [[noreturn]] static void fail(CloudFailure failure) {
    throw CloudError(failure, {"cloud"}, "as the schedule wants", "go on");
  }
  static void end(Machine& machine, Time at) {
    if (machine.ended) return;
    machine.ended = at;
    machine.instance.state = InstanceState::gone;
  }

  std::vector<Instance> make(const LaunchRequest& request) {
    std::vector<Instance> made;
    for (Count i = 0; i < request.count; ++i) {
      const std::string id = fmt::format("{}-{}", request.token, i);
      const auto [at, fresh] = machines_.try_emplace(id);
      Machine& machine = at->second;
      if (fresh) {
        machine.instance = {id, request.token, InstanceState::pending, now_, "host-" + id, ""};
        machine.launched = now_;
        machine.root = request.terms.image;
        machine.listed = now_ + some(faults_.lists_late);
        machine.runs = happens(faults_.never_up) ? Time::max() : now_ + some(faults_.boots);
        machine.ends_itself = now_ + request.lifetime + faults_.boots;
      }
      made.push_back(machine.instance);
    }
    return made;
  }

  Random random_;
  CloudFaults faults_;
  Time now_ = at_ms(1'700'000'000'000);
  std::map<std::string, Machine> machines_;
  std::vector<std::pair<Time, LaunchRequest>> late_;
  std::set<std::string> refused_;
  std::function<void()> meanwhile_;
  bool within_ = false;
};

// Books in memory: all or nothing, as a store's.
class MemoryLedger : public RentLedger {
 public:
  MemoryLedger(std::uint64_t seed, double kill) : random_(seed, "ledger"), kill_(kill) {}

  [[nodiscard]] std::string id() override { return "ledger"; }
  void change(const std::vector<std::string>& closed, const std::function<void(Books&)>& change) override {
    die();
    Books books{books_.budgets, {}};
    for (const RentOrder& order : books_.orders)
      if (order.state != OrderState::closed ||
          std::find(closed.begin(), closed.end(), order.token) != closed.end())
        books.orders.push_back(order);
    change(books);
    for (const RentOrder& order : books.orders) {
      const auto old = std::find_if(books_.orders.begin(), books_.orders.end(),
                                    [&](const RentOrder& each) { return each.token == order.token; });
      if (old == books_.orders.end())
        books_.orders.push_back(order);
      else
        *old = order;
    }
    books_.budgets = books.budgets;
    die();
  }
  [[nodiscard]] Books read(bool with_closed) override {
    die();
    Books books = books_;
    if (!with_closed)
      std::erase_if(books.orders, [](const RentOrder& each) { return each.state == OrderState::closed; });
    return books;
  }
  [[nodiscard]] const Books& books() const { return books_; }
  void heal() { kill_ = 0; }

 private:
  void die() {
    if (kill_ > 0 && random_.unit() < kill_) throw Killed();
  }
  Random random_;
  double kill_;
  Books books_;
};

}  // namespace wavewright
