#include "wavewright/sim/parts/misuse.h"

#include "wavewright/core/error.h"

namespace wavewright::sim {

void refuse_unknown_job(const std::string& policy, JobIndex job) {
  throw Defect("policy '" + policy + "' decided on job " + std::to_string(job) + ", which has not arrived");
}

void refuse_second_decision(const std::string& policy, const std::string& job) {
  throw Defect("policy '" + policy + "' decided twice on job '" + job + "'");
}

void refuse_undeclared(const std::string& policy, Feature feature) {
  throw Defect("policy '" + policy + "' used " + to_string(feature) + " without declaring the need");
}

}  // namespace wavewright::sim
