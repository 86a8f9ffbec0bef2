#include "wavewright/sched/ledger/misuse.h"

#include "wavewright/core/error.h"

namespace wavewright {

void refuse_unknown_job(const std::string& policy, JobIndex job) {
  throw InternalError("policy '" + policy + "' decided on job " + std::to_string(job) +
                      ", which has not arrived");
}

void refuse_second_decision(const std::string& policy, const std::string& job) {
  throw InternalError("policy '" + policy + "' decided twice on job '" + job + "'");
}

void refuse_undeclared(const std::string& policy, Feature feature) {
  throw InternalError("policy '" + policy + "' used " + to_string(feature) + " without declaring the need");
}

void refuse_unknown_class(const std::string& policy, ClassId node_class) {
  throw InternalError("policy '" + policy + "' named node class " + std::to_string(node_class) +
                      ", which the cluster has not");
}

void refuse_masters(const std::string& policy) {
  throw InternalError("policy '" + policy +
                      "' ranks, reserves or preempts application masters, which go first");
}

void refuse_past_timer(const std::string& policy, Time at, Time now) {
  throw InternalError("policy '" + policy + "' set a timer for " + std::to_string(to_ms(at)) +
                      " ms, which is " + std::to_string(to_ms(now) - to_ms(at)) + " ms in the past");
}

void refuse_interval(const std::string& policy, Count count, Time from, Time to) {
  throw InternalError("policy '" + policy + "' reserved " + std::to_string(count) + " from " +
                      std::to_string(to_ms(from)) + " ms to " + std::to_string(to_ms(to)) + " ms");
}

}  // namespace wavewright
