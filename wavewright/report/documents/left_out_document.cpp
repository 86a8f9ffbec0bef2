#include "wavewright/report/documents/left_out_document.h"

#include <nlohmann/json.hpp>

namespace wavewright {

Json left_out_counts_document(const LeftOutCounts& counts) {
  Json document = Json::object();
  for (const LeftOutWhy why : left_out_reasons) document[to_string(why)] = counts.of(why);
  return document;
}

Json left_out_document(const RunChoice& choice) {
  Json list = Json::array();
  for (const LeftOutRun& run : choice.left_out) list.push_back({{"id", run.id}, {"why", to_string(run.why)}});
  return list;
}

}  // namespace wavewright
