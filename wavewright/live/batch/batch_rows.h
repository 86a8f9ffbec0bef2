// Rows of live batches: their keys, and jobs, orderings and ids of jobs as texts. Shared by
// live/batch/batch_store.cpp, live/batch/batch_archive.cpp and live/batch/round_rows.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wavewright/live/batch/live_batch.h"

namespace wavewright {

[[nodiscard]] std::string batch_row_key(const std::string& batch);
[[nodiscard]] std::string past_row_key(const std::string& batch_key, const std::string& job_id);
// Keys of rows that have an order in their batch. Numbers go from 0 to `last_row`; keys sort as numbers do.
inline constexpr std::int64_t last_row = 999'999'999'999;
[[nodiscard]] std::string numbered_row_key(const std::string& batch_key, std::int64_t number);
[[nodiscard]] std::int64_t number_in_row_key(const std::string& row_key);

[[nodiscard]] std::string stored_text(const LiveJob& job);
[[nodiscard]] std::string stored_text(const std::optional<LiveOrdering>& ordering);
[[nodiscard]] std::string stored_text(const std::vector<std::string>& ids);

// All throw InputError with `store` if the text is damaged.
[[nodiscard]] LiveJob stored_job(const std::string& text, const std::string& store);
[[nodiscard]] std::optional<LiveOrdering> stored_ordering(const std::string& text, const std::string& store);
[[nodiscard]] std::vector<std::string> stored_ids(const std::string& text, const std::string& store);

}  // namespace wavewright
