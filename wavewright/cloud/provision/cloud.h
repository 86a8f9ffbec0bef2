// The cloud as the reconciler sees it: machines can be asked for, listed by their tags, and ended.
//
// EC2 is one (ec2.h). Tests have one that loses and repeats answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/core/error.h"
#include "wavewright/core/money.h"
#include "wavewright/core/quantity.h"
#include "wavewright/core/time.h"

namespace wavewright {

// How a request failed, which decides what may be concluded.
enum class CloudFailure : std::uint8_t {
  unsure,     // no answer, or an error inside the cloud: the request may have had its effect
  throttled,  // too many requests: it had none, and may be sent again later
  refused,    // quota, capacity, unknown type: it had none, and the same request will be refused again
  denied      // wrong, expired or insufficient credentials: it had none
};

class CloudError : public ExternalError {
 public:
  CloudError(CloudFailure failure, const Position& where, const std::string& what, const std::string& remedy)
      : ExternalError(where, what, remedy), failure_(failure) {}
  [[nodiscard]] CloudFailure failure() const { return failure_; }

 private:
  CloudFailure failure_;
};

// What kind of machine, and how it is set up.
struct LaunchTerms {
  std::string type;    // `m5.large`
  std::string image;   // `ami-…`
  std::string subnet;  // empty = the default
  std::string key_name;
  std::string user_data;     // a script that the machine runs when it has booted; empty = none
  std::optional<Money> bid;  // most to pay for an hour of a spot machine; none = on demand

  friend bool operator==(const LaunchTerms&, const LaunchTerms&) = default;
};

struct LaunchRequest {
  std::string token;   // a repeated request with it gives the same machines, not others
  std::string ledger;  // id of the ledger that accounts for them
  std::string batch;
  LaunchTerms terms;
  Count count = 1;      // all of them or none
  Duration lifetime{};  // after that long from its boot a machine ends itself
};

// In the order in which a machine goes through them.
enum class InstanceState : std::uint8_t { pending, running, terminating, gone };

struct Instance {
  std::string id;
  std::string token;  // of the request that made it
  InstanceState state = InstanceState::pending;
  Time launched{};
  std::string host = {};    // its private name
  std::string reason = {};  // why it ended, in the cloud's words
};

class Cloud {
 public:
  virtual ~Cloud() = default;

  // The machines of the request, old or new. Throws CloudError.
  [[nodiscard]] virtual std::vector<Instance> launch(const LaunchRequest& request) = 0;

  // All machines that carry the tag of the ledger, ended ones too as long as the cloud knows them. A machine
  // that was made a moment ago may be missing. Throws CloudError.
  [[nodiscard]] virtual std::vector<Instance> instances(const std::string& ledger) = 0;

  // Ends machines; those that have ended already or are not known are passed over. Throws CloudError.
  virtual void terminate(const std::vector<std::string>& ids) = 0;
};

}  // namespace wavewright
