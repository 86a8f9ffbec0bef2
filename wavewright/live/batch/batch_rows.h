// Rows of live batches: their keys, and jobs and orderings as texts. Shared by live/batch/batch_store.cpp and
// live/batch/batch_archive.cpp.
#pragma once

#include <optional>
#include <string>

#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

[[nodiscard]] std::string batch_row_key(const std::string& batch);
[[nodiscard]] std::string past_row_key(const std::string& batch_key, const std::string& job_id);

[[nodiscard]] std::string stored_text(const LiveJob& job);
[[nodiscard]] std::string stored_text(const std::optional<LiveOrdering>& ordering);

// Both throw InputError with `store` if the text is damaged.
[[nodiscard]] LiveJob stored_job(const std::string& text, const std::string& store);
[[nodiscard]] std::optional<LiveOrdering> stored_ordering(const std::string& text, const std::string& store);

}  // namespace wavewright
