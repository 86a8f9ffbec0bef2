#include "wavewright/energy/plan/rent_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "wavewright/core/linear_program.h"

namespace wavewright {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Stages that count as one.
struct Type {
  std::size_t kind = 0;
  std::vector<std::size_t> windows;
  double tasks = 0;
  std::vector<double> time, work;  // by row: ms and µJ of a mean task; infinite where none can run
};

class Types {
 public:
  Types(const Rents& rents, std::size_t rows, double step) : rows_(rows) {
    const LeastEnergy& least = rents.least();
    std::map<std::vector<std::int64_t>, std::size_t> known;
    for (std::size_t i = 0; i < least.stages.size(); ++i) {
      const Type type = of_stage(least.stages[i], i, rents);
      const auto [at, is_new] = known.emplace(key_of(type, step), types_.size());
      if (is_new) {
        types_.push_back(type);
      } else {
        add(type, types_[at->second]);
      }
    }
    for (Type& type : types_) {
      for (std::size_t row = 0; row < rows_; ++row) {
        type.time[row] /= type.tasks;
        type.work[row] /= type.tasks;
      }
    }
  }
  [[nodiscard]] const std::vector<Type>& all() const { return types_; }

 private:
  // Times and work of all its tasks together.
  [[nodiscard]] Type of_stage(const TaskStage& stage, std::size_t at, const Rents& rents) const {
    Type type{place_of(stage.kind), {}, 0, std::vector<double>(rows_, 0), std::vector<double>(rows_, 0)};
    if (rents.capacity() != nullptr) type.windows = rents.capacity()->windows_of(at);
    for (const TaskStage::Tasks& tasks : stage.tasks) {
      const auto count = static_cast<double>(tasks.count);
      type.tasks += count;
      for (std::size_t row = 0; row < rows_; ++row) {
        const TasksOnRow& on = stage.rows[row];
        type.time[row] += stage.time_on(on, tasks) * on.share * count;
      }
    }
    for (std::size_t row = 0; row < rows_; ++row)
      type.work[row] = std::isinf(type.time[row]) ? infinite : type.time[row] * stage.rows[row].power;
    return type;
  }
  // Equal where times and powers relative to the first row's differ by less than about `step`.
  [[nodiscard]] std::vector<std::int64_t> key_of(const Type& type, double step) const {
    std::vector<std::int64_t> key{static_cast<std::int64_t>(type.kind)};
    for (const std::size_t window : type.windows) key.push_back(static_cast<std::int64_t>(window));
    key.push_back(-1);
    const double first = *std::min_element(type.time.begin(), type.time.end());
    const auto rounded = [&](double value) {
      return std::isinf(value) ? std::int64_t{-2} : std::llround(std::log1p(value) / step);
    };
    for (std::size_t row = 0; row < rows_; ++row) {
      key.push_back(rounded(type.time[row] / first));
      key.push_back(rounded(type.work[row] / type.time[row]));
    }
    return key;
  }
  void add(const Type& type, Type& to) const {
    to.tasks += type.tasks;
    for (std::size_t row = 0; row < rows_; ++row) {
      to.time[row] += type.time[row];
      to.work[row] += type.work[row];
    }
  }

  std::size_t rows_;
  std::vector<Type> types_;
};

// Variables: what a task of each type pays; rents by row and kind; prices of time; by row its share of the
// power that flows anyway; and the makespan's.
class Program {
 public:
  Program(const Rents& rents, const Cluster& cluster, const std::vector<Type>& types)
      : rents_(rents), types_(types), rows_(cluster.nodes.size()), surplus_(rows_, 0) {
    for (std::size_t i = 0; i + 1 < rents.budgets().size(); ++i)
      surplus_[rents.row_of(i)] = rents.budgets()[i].power / count_of(cluster, rents.row_of(i));
    for (const Type& type : types_) {
      for (std::size_t row = 0; row < rows_; ++row) {
        if (std::isinf(type.work[row])) continue;
        longest_ = std::max(longest_, type.time[row]);
        strongest_ = std::max(strongest_, type.work[row] / type.time[row]);
      }
    }
    strongest_ = std::max(strongest_, rents.budgets().back().power);
    program_.gain.assign(variables(), 0);
    for (std::size_t i = 0; i < types_.size(); ++i) add_type(i);
    add_power(cluster);
    for (std::size_t i = 0; i < prices(); ++i)
      program_.gain[price_at() + i] = -rents_.time_there(i) / longest_;
    program_.gain[makespan_at()] = rents_.least().earliest_end / longest_;
  }

  [[nodiscard]] std::optional<Rents::Point> solve() const {
    const std::optional<std::vector<double>> best = maximise(program_);
    if (!best) return std::nullopt;
    SlotPrices rents(rows_, {0, 0});
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t kind = 0; kind < slot_kinds; ++kind)
        rents[row][kind] = (*best)[rent_at(row, kind)] * strongest_;
    }
    std::vector<double> of_time(prices());
    for (std::size_t i = 0; i < of_time.size(); ++i) of_time[i] = (*best)[price_at() + i] * strongest_;
    return rents_.with_rents(rents, std::move(of_time));
  }

 private:
  static double count_of(const Cluster& cluster, std::size_t row) {
    return static_cast<double>(std::max<Count>(1, cluster.nodes[row].count));
  }
  [[nodiscard]] std::size_t prices() const { return rows_ * slot_kinds * rents_.windows(); }
  [[nodiscard]] std::size_t rent_at(std::size_t row, std::size_t kind) const {
    return types_.size() + row * slot_kinds + kind;
  }
  [[nodiscard]] std::size_t price_at() const { return types_.size() + rows_ * slot_kinds; }
  [[nodiscard]] std::size_t share_at(std::size_t row) const { return price_at() + prices() + row; }
  [[nodiscard]] std::size_t makespan_at() const { return share_at(rows_); }
  [[nodiscard]] std::size_t variables() const { return makespan_at() + 1; }

  // A task pays at most what it costs on each row.
  void add_type(std::size_t index) {
    const Type& type = types_[index];
    program_.gain[index] = type.tasks;
    for (std::size_t row = 0; row < rows_; ++row) {
      if (std::isinf(type.work[row])) continue;
      const double time = type.time[row] / longest_;
      LinearProgram::Row limit{std::vector<double>(variables(), 0), type.work[row] / (longest_ * strongest_)};
      limit.weights[index] = 1;
      limit.weights[rent_at(row, type.kind)] = -time;
      for (const std::size_t window : type.windows)
        limit.weights[price_at() + rents_.at(row, type.kind, window)] = -time;
      program_.rows.push_back(std::move(limit));
    }
  }
  // Slots of a machine ask for no more than its share and its surplus; all shares, for no more than there is.
  void add_power(const Cluster& cluster) {
    LinearProgram::Row all{std::vector<double>(variables(), 0), rents_.budgets().back().power / strongest_};
    all.weights[makespan_at()] = 1;
    for (std::size_t row = 0; row < rows_; ++row) {
      LinearProgram::Row machine{std::vector<double>(variables(), 0), surplus_[row] / strongest_};
      const SlotPool& slots = cluster.nodes[row].slots;
      machine.weights[rent_at(row, 0)] = static_cast<double>(slots.map_slots);
      machine.weights[rent_at(row, 1)] = static_cast<double>(slots.reduce_slots);
      machine.weights[share_at(row)] = -1;
      program_.rows.push_back(std::move(machine));
      all.weights[share_at(row)] = static_cast<double>(cluster.nodes[row].count);
    }
    program_.rows.push_back(std::move(all));
  }

  const Rents& rents_;
  const std::vector<Type>& types_;
  std::size_t rows_;
  std::vector<double> surplus_;         // mW, by row
  double longest_ = 1, strongest_ = 1;  // units: ms, mW
  LinearProgram program_;
};

}  // namespace

std::optional<Rents::Point> rents_by_linear_program(const Rents& rents, const Cluster& cluster) {
  constexpr std::size_t most_rows = 2'000;
  const std::size_t rows = cluster.nodes.size();
  for (double step = 0.01; step < 2; step *= 2) {
    const Types types(rents, rows, step);
    if (types.all().size() * rows > most_rows) continue;
    return Program(rents, cluster, types.all()).solve();
  }
  return std::nullopt;
}

}  // namespace wavewright
