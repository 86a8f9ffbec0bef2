#include "wavewright/predict/predictor.h"

#include <algorithm>

#include "wavewright/profile/groups.h"

namespace wavewright {

namespace {

bool done(const RunPhases& run) {
  return run.state == RunState::succeeded;
}

// Lengths drawn from a few tasks of many would stand for all.
bool complete(const RunPhases& run) {
  const auto tells = [](const auto& times, Count tasks) { return 2 * std::ssize(times) >= tasks; };
  return run.maps + run.reduces > 0 && tells(run.map, run.maps) && tells(run.reduce, run.reduces);
}

bool usable(const RunPhases& run) {
  return done(run) && complete(run);
}

// One pass over the runs: each is used or has a reason why not.
class Choosing {
 public:
  Choosing(const std::vector<RunPhases>& runs, const std::optional<std::size_t>& without)
      : runs_(runs), why_(runs.size()) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i != without) places_.push_back(i);
    }
  }

  template <class Holds>
  void leave_out(LeftOutWhy why, Holds holds) {
    for (const std::size_t place : places_) {
      if (!why_[place] && holds(runs_[place])) why_[place] = why;
    }
  }

  void leave_out_other_configurations(const RunPhases& like) {
    const std::vector<std::size_t> used = used_places();
    std::vector<const RunPhases*> candidates;
    candidates.reserve(used.size());
    for (const std::size_t place : used) candidates.push_back(&runs_[place]);
    const std::vector<bool> fits = are_comparable(candidates, like);
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!fits[i]) why_[used[i]] = LeftOutWhy::configuration;
    }
  }

  void leave_out_older(std::size_t most) {
    std::size_t newer = 0;
    for (const std::size_t place : used_places()) {
      if (newer++ >= most) why_[place] = LeftOutWhy::older;
    }
  }

  // Is there a run to predict from, with reduces if the question has some?
  [[nodiscard]] bool can_answer(bool reduces) const {
    const std::vector<std::size_t> used = used_places();
    return std::any_of(used.begin(), used.end(),
                       [&](std::size_t place) { return !reduces || !runs_[place].reduce.empty(); });
  }

  [[nodiscard]] RunChoice choice() const {
    RunChoice choice;
    for (const std::size_t place : places_) {
      if (why_[place]) {
        choice.left_out.push_back({runs_[place].id, *why_[place]});
      } else {
        choice.runs.push_back(runs_[place]);
      }
    }
    return choice;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> used_places() const {
    std::vector<std::size_t> used;
    for (const std::size_t place : places_) {
      if (!why_[place]) used.push_back(place);
    }
    return used;
  }

  const std::vector<RunPhases>& runs_;
  std::vector<std::size_t> places_;
  std::vector<std::optional<LeftOutWhy>> why_;
};

bool has_its_slots(const RunPhases& run) {
  return (run.maps == 0 || run.slots.map_slots > 0) && (run.reduces == 0 || run.slots.reduce_slots > 0);
}

}  // namespace

RunQuestion question_of(const RunPhases& run, HoldOut hold_out) {
  RunQuestion question = {{.input = run.map_input, .maps = run.maps, .reduces = run.reduces}, run, hold_out};
  if (question.size.input && question.size.input->count <= 0) question.size.input.reset();  // reads nothing
  return question;
}

Predictor::Predictor(std::string name, std::vector<RunPhases> runs, std::set<std::string> shared,
                     PredictorOptions options)
    : Predictor(std::move(name), std::move(runs),
                std::make_shared<const std::set<std::string>>(std::move(shared)), options) {}

Predictor::Predictor(std::string name, std::vector<RunPhases> runs,
                     std::shared_ptr<const std::set<std::string>> shared, PredictorOptions options)
    : name_(std::move(name)),
      runs_(std::make_shared<const std::vector<RunPhases>>(std::move(runs))),
      shared_(std::move(shared)),
      options_(options) {}

Predictor Predictor::without(std::size_t place) const {
  Predictor other = *this;
  other.without_ = place;
  return other;
}

Predictor Predictor::with(PredictorOptions options) const {
  Predictor other = *this;
  other.options_ = options;
  return other;
}

RunChoice Predictor::choose(const RunQuestion& question) const {
  Choosing all(*runs_, without_);
  all.leave_out(LeftOutWhy::not_succeeded, [](const RunPhases& run) { return !done(run); });
  all.leave_out(LeftOutWhy::incomplete, [](const RunPhases& run) { return !complete(run); });
  std::optional<RunPhases> like = question.like;
  for (std::size_t i = 0; i < runs_->size() && !like; ++i) {
    if (i == without_ || !usable((*runs_)[i])) continue;
    like = (*runs_)[i];
    if (question.size.input && question.size.maps) {  // they tell the size of the splits
      like->map_input = question.size.input;
      like->maps = *question.size.maps;
    }
  }
  if (question.hold_out == HoldOut::size && like) {
    all.leave_out(LeftOutWhy::size,
                  [&](const RunPhases& run) { return size_class(run) == size_class(*like); });
  }
  const auto rest = [&](Choosing chosen, bool alone_only) {
    if (alone_only) chosen.leave_out(LeftOutWhy::shared, [&](const RunPhases& run) { return shared(run); });
    if (like && !options_.every_configuration) chosen.leave_out_other_configurations(*like);
    return chosen;
  };
  const bool reduces = question.size.reduces.value_or(0) > 0;
  const auto chosen = [&](Choosing places, bool shared_used) {
    places.leave_out_older(options_.runs_at_most);
    RunChoice choice = places.choice();
    choice.shared_used = shared_used;
    return choice;
  };
  const Choosing first = rest(all, !options_.shared_too);
  if (options_.shared_too || first.can_answer(reduces)) return chosen(first, false);
  const Choosing with_shared = rest(all, false);
  return with_shared.can_answer(reduces) ? chosen(with_shared, true) : chosen(first, false);
}

Prediction Predictor::predict(SlotPool slots, const RunQuestion& question) const {
  return predict_from(choose(question), slots, question.size);
}

Prediction Predictor::predict_from(const RunChoice& choice, SlotPool slots, const RunSize& size) const {
  Prediction prediction = wavewright::predict(name_, choice.runs, slots, size, options_.prediction);
  prediction.left_out = choice.counts();
  prediction.shared_used = choice.shared_used;
  return prediction;
}

std::optional<Prediction> Predictor::predict_stored(std::size_t place, HoldOut hold_out) const {
  const RunPhases& run = runs_->at(place);
  const std::optional<Duration> measured = run.measured();
  if (!usable(run) || !measured || *measured <= Duration{} || !has_its_slots(run)) return std::nullopt;
  const Predictor others = without(place);
  const RunQuestion question = question_of(run, hold_out);
  const RunChoice choice = others.choose(question);
  const bool known = std::any_of(choice.runs.begin(), choice.runs.end(), [&](const RunPhases& other) {
    return run.reduces == 0 || !other.reduce.empty();
  });
  if (!known) return std::nullopt;
  return others.predict_from(choice, run.slots, question.size);
}

}  // namespace wavewright
