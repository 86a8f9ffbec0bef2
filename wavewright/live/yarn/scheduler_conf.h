// The configuration of YARN's Capacity scheduler, as its ResourceManager tells and changes it:
// `GET` and `PUT /ws/v1/cluster/scheduler-conf` (Hadoop 3.3 and later).
//
// A change is one XML document, which takes effect as a whole or not at all. Its capacities must be right as
// a whole: those of siblings sum to 100.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wavewright/history/source/server.h"

namespace wavewright {

// Values of `yarn.scheduler.capacity.…` by their whole key.
class SchedulerConf {
 public:
  SchedulerConf() = default;
  explicit SchedulerConf(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  // The value of a queue's key, such as `capacity` of `root.etl`; empty if it has none.
  [[nodiscard]] std::string of(const std::string& queue, const std::string& key) const;
  // The value of a key below `yarn.scheduler.capacity`.
  [[nodiscard]] std::string general(const std::string& key) const;
  // Paths of the queues directly below, in the order of the configuration.
  [[nodiscard]] std::vector<std::string> children(const std::string& queue) const;
  // The queue's keys that begin so, and their values.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> keys_of(const std::string& queue,
                                                                         const std::string& begin) const;

 private:
  std::map<std::string, std::string> values_;
};

// Throws ExternalError with `url` if the text is no such configuration.
[[nodiscard]] SchedulerConf parse_scheduler_conf(std::string_view text, const std::string& url);

// A change: queues to add, to change and to remove.
class SchedulerChange {
 public:
  using Settings = std::vector<std::pair<std::string, std::string>>;

  void add(const std::string& queue, const Settings& settings) { change("add-queue", queue, settings); }
  void update(const std::string& queue, const Settings& settings) { change("update-queue", queue, settings); }
  void remove(const std::string& queue);
  [[nodiscard]] std::string xml() const { return "<sched-conf>" + body_ + "</sched-conf>"; }

 private:
  void change(const std::string& how, const std::string& queue, const Settings& settings);
  std::string body_;
};

// The API of one ResourceManager, which must outlive it.
class SchedulerConfApi {
 public:
  // `user`: whom a cluster without Kerberos is to take us for.
  SchedulerConfApi(const WebServer& resource_manager, std::string user)
      : resource_manager_(resource_manager), user_(std::move(user)) {}

  // Throws ExternalError if there is no answer, or if the scheduler is not one whose queues can be changed.
  [[nodiscard]] SchedulerConf read() const;
  // Empty if the change took effect; else the scheduler's words, and nothing has changed. Throws
  // ExternalError if there is no answer: it may have taken effect or not.
  [[nodiscard]] std::string change(const SchedulerChange& change) const;
  // The address of a change, without the user, for people.
  [[nodiscard]] std::string address() const;

 private:
  [[nodiscard]] std::string path() const;
  const WebServer& resource_manager_;
  std::string user_;
};

}  // namespace wavewright
