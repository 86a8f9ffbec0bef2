#include "wavewright/live/yarn/pool_queue_store.h"

#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"
#include "wavewright/store/database.h"
#include "wavewright/store/key.h"
#include "wavewright/store/table.h"

namespace wavewright {

namespace {

using Json = nlohmann::json;
using enum ColumnKind;

std::string document_of(const PoolQueues& pools) {
  Json queues = Json::array();
  for (const PoolQueue& each : pools.queues)
    queues.push_back({{"name", each.name},
                      {"capacity", each.capacity},
                      {"settings", each.settings},
                      {"jobs", each.jobs},
                      {"masters", each.masters ? Json(*each.masters) : Json(nullptr)}});
  Json siblings = Json::array();
  for (const SiblingQueue& each : pools.siblings)
    siblings.push_back({each.path, each.before, each.meanwhile});
  return Json{{"parent", pools.parent},
              {"queues", queues},
              {"siblings", siblings},
              {"masters", pools.masters},
              {"removed", pools.removed}}
      .dump();
}

PoolQueues pools_of(const std::string& text, const std::string& store) {
  try {
    const Json document = Json::parse(text);
    PoolQueues pools;
    document.at("parent").get_to(pools.parent);
    document.at("masters").get_to(pools.masters);
    document.at("removed").get_to(pools.removed);
    for (const Json& each : document.at("queues")) {
      PoolQueue& queue = pools.queues.emplace_back();
      each.at("name").get_to(queue.name);
      each.at("capacity").get_to(queue.capacity);
      each.at("settings").get_to(queue.settings);
      each.at("jobs").get_to(queue.jobs);
      // Batches of earlier versions do not say it.
      if (const auto masters = each.find("masters"); masters != each.end() && !masters->is_null())
        queue.masters = masters->get<double>();
    }
    for (const Json& each : document.at("siblings"))
      pools.siblings.push_back(
          {each.at(0).get<std::string>(), each.at(1).get<std::string>(), each.at(2).get<std::string>()});
    return pools;
  } catch (const Json::exception&) {
    throw InputError({store}, "the pools of a live batch are damaged", "restore the store from a copy");
  }
}

}  // namespace

void PoolQueueStore::write(const std::string& batch, const PoolQueues& pools) const {
  store_.database().in_transaction([&](soci::session& session) {
    const std::string key = hash_text(batch);
    execute(session, "delete from wavewright_batch_pools where batch_key = :k", {Value(key)});
    execute(session, "insert into wavewright_batch_pools (batch_key, document) values (:k, :d)",
            {Value(key), Value(document_of(pools))});
    return 0;
  });
}

std::optional<PoolQueues> PoolQueueStore::read(const std::string& batch) const {
  const Database& database = store_.database();
  const std::string document = database.guarded([&](soci::session& session) {
    Query row(session, "select document from wavewright_batch_pools where batch_key = :k",
              {Value(hash_text(batch))}, {text});
    return row.fetch() ? row.text(0) : std::string();
  });
  if (document.empty()) return std::nullopt;
  return pools_of(document, database.where().shown);
}

void PoolQueueStore::forget(const std::string& batch) const {
  store_.database().in_transaction([&](soci::session& session) {
    execute(session, "delete from wavewright_batch_pools where batch_key = :k", {Value(hash_text(batch))});
    return 0;
  });
}

}  // namespace wavewright
