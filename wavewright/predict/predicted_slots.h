// The slots with which a job meets a deadline in a given share of its runs, as it is predicted.
//
// A pair of slots meets the deadline if the percentile of the predicted time (predict/percentiles.h) at this
// confidence, or the time by a formula, is not later. So the answer is what a prediction for that pair says.
// More slots are not always faster, as tasks that run at once slow each other down (predict/scaling.h).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "wavewright/core/time.h"
#include "wavewright/predict/predict.h"
#include "wavewright/predict/slot_search.h"

namespace wavewright {

struct SlotDeadline {
  Duration deadline{};
  double confidence = 0.5;                           // share of runs, between 0 and 1
  std::optional<Count> reduce_slots = std::nullopt;  // given; absent = searched as well
  std::optional<TimeModel> model = std::nullopt;     // a formula instead of simulated runs
};

class PredictedSlots {
 public:
  // `prediction` must outlive it. Throws UsageError for a deadline or slots that are not positive. Up to
  // `pairs_tried` pairs of slots are all tried; of more, about log² of them, as if time fell with slots up to
  // one point and grew beyond it.
  PredictedSlots(const PreparedPrediction& prediction, const SlotDeadline& asked);
  PredictedSlots(const PredictedSlots&) = delete;  // the search refers to it
  PredictedSlots& operator=(const PredictedSlots&) = delete;
  PredictedSlots(PredictedSlots&&) = delete;
  PredictedSlots& operator=(PredictedSlots&&) = delete;
  ~PredictedSlots() = default;

  // Both throw Infeasible with the shortest time found if no slots meet the deadline.
  // The fewest in total. Ties: the earliest, then the fewest map slots.
  [[nodiscard]] SlotChoice fewest();
  // Pairs in which neither number can be lowered, by map slots.
  [[nodiscard]] std::vector<SlotChoice> curve();

  static constexpr Count pairs_tried = 256;

 private:
  [[nodiscard]] double time_ms(SlotPool slots);
  [[nodiscard]] bool few_pairs() const;
  [[nodiscard]] std::vector<SlotChoice> all_that_meet(Count most_slots);
  void find_most();
  [[noreturn]] void refuse() const;

  const PreparedPrediction& prediction_;
  SlotDeadline asked_;
  SlotSearch search_;
  std::map<std::pair<Count, Count>, double> known_;
};

}  // namespace wavewright
