// Jobs and events as JSON, and back.
#include "wavewright/live/batch/live_document.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "wavewright/core/error.h"

namespace wavewright {
namespace {

using Json = nlohmann::ordered_json;

LiveJob told_of() {
  LiveJob job;
  job.id = "etl, 1st";
  job.name = "etl";
  job.state = LiveState::running;
  job.reason = "it's \"so\"";
  job.attempts = 2;
  job.tag = "wavewright-x-1";
  job.applications = {"application_1_0001", "application_1_0002"};
  job.many_applications = true;
  job.after = {"before", "long before"};
  job.not_before = at_ms(1);
  job.submitting_since = at_ms(2);
  job.accepted_at = at_ms(3);
  job.started_at = at_ms(4);
  job.ended_at = at_ms(5);
  job.deadline = at_ms(6);
  job.expected_start = at_ms(7);
  job.expected_end = at_ms(8);
  job.promise = DeadlinePromise{at_ms(9), at_ms(10), "p90", true};
  return job;
}

TEST(LiveDocument, AJobComesBack) {
  EXPECT_EQ(job_from_document(job_document(told_of()), "x"), told_of());
  EXPECT_EQ(job_from_document(job_document(LiveJob{.id = "a"}), "x"), LiveJob{.id = "a"});
  const LiveEvent event{at_ms(5), "a", "Done", "two\nlines"};
  EXPECT_EQ(event_from_document(event_document(event), "x"), event);
  EXPECT_EQ(event_word(event), "done");
}

TEST(LiveDocument, WhatLacksAFieldIsNone) {
  const Json job = job_document(told_of()), event = event_document({});
  for (const auto& [field, value] : job.items()) {
    Json less = job;
    less.erase(field);
    EXPECT_THROW((void)job_from_document(less, "daemon"), InputError) << field;
    Json other = job;
    other[field] = Json::object();
    EXPECT_THROW((void)job_from_document(other, "daemon"), InputError) << field;
  }
  for (const auto& [field, value] : event.items()) {
    Json less = event;
    less.erase(field);
    EXPECT_THROW((void)event_from_document(less, "daemon"), InputError) << field;
  }
  EXPECT_THROW((void)job_from_document(Json::array(), "daemon"), InputError);
  EXPECT_THROW((void)job_from_document(Json::value_t::discarded, "daemon"), InputError);
}

}  // namespace
}  // namespace wavewright
