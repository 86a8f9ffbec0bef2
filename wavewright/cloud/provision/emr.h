// Task groups of Amazon EMR, through its JSON API: how many machines a group has, and how many it is to have.
#pragma once

#include <string>

#include "wavewright/cloud/provision/aws_client.h"
#include "wavewright/core/quantity.h"

namespace wavewright {

struct GroupSize {
  Count requested = 0;
  Count running = 0;
  bool is_task = false;  // core and master groups are not resized
  std::string state;     // `RUNNING`, `RESIZING`, …
};

class TaskGroups {
 public:
  virtual ~TaskGroups() = default;
  // `group`: `CLUSTER/GROUP`, as in `j-2AXX/ig-3BYY`. Throws CloudError; with `refused` if there is no such
  // group.
  [[nodiscard]] virtual GroupSize size(const std::string& group) = 0;
  // Sets how many machines it is to have; the same number twice changes nothing. Throws CloudError.
  virtual void resize(const std::string& group, Count machines) = 0;
};

class Emr : public TaskGroups {
 public:
  // The client must outlive it.
  explicit Emr(AwsClient& client) : client_(client) {}
  [[nodiscard]] GroupSize size(const std::string& group) override;  // ListInstanceGroups, all pages
  void resize(const std::string& group, Count machines) override;   // ModifyInstanceGroups

 private:
  AwsClient& client_;
};

}  // namespace wavewright
