#include "wavewright/sim/kernel/launch_queue.h"

namespace wavewright::sim {

LaunchQueue::Id LaunchQueue::enter(std::size_t pool, std::uint64_t at, std::uint64_t work,
                                   std::uint64_t now) {
  const Id id = ++last_;
  Where& where = where_[id] = {pool, LaunchWork{work} * launch_unit, at, false};
  if (at <= now) {
    let_in(id, where, now);
  } else {
    entering_.insert({at, id});
  }
  return id;
}

void LaunchQueue::let_in(Id id, Where& where, std::uint64_t now) {
  Pool& pool = pools_[where.pool];
  go_on(pool, now);
  where.work += pool.done;
  where.inside = true;
  pool.running.insert({where.work, id});
  plan(where.pool);
}

void LaunchQueue::cancel(Id id, std::uint64_t now) {
  const auto found = where_.find(id);
  if (found == where_.end()) return;
  if (found->second.inside) {
    Pool& pool = pools_[found->second.pool];
    go_on(pool, now);
    pool.running.erase({found->second.work, id});
    plan(found->second.pool);
  } else {
    entering_.erase({found->second.enters, id});
  }
  where_.erase(found);
}

LaunchWork LaunchQueue::left(Id id, std::uint64_t now) {
  const Where& where = where_.at(id);
  Pool& pool = pools_[where.pool];
  go_on(pool, now);
  return where.work - std::min(where.work, pool.done);
}

std::uint64_t LaunchQueue::next() const {
  const std::uint64_t over = due_.empty() ? never : due_.begin()->first;
  return entering_.empty() ? over : std::min(over, entering_.begin()->first);
}

void LaunchQueue::run(std::uint64_t now, const std::function<void(Id)>& over) {
  pop(now, over);
  while (!entering_.empty() && entering_.begin()->first <= now) {
    const auto found = where_.find(entering_.begin()->second);
    entering_.erase(entering_.begin());
    let_in(found->first, found->second, now);
  }
  pop(now, over);
}

void LaunchQueue::go_on(Pool& pool, std::uint64_t now) const {
  if (!pool.running.empty())
    pool.done += LaunchWork{launch_speed(processors_, pool.running.size())} * (now - pool.at);
  pool.at = now;
}

// Finds the pool's next end at its present speed.
void LaunchQueue::plan(std::size_t index) {
  Pool& pool = pools_[index];
  if (pool.due != never) due_.erase({pool.due, index});
  pool.due = never;
  if (pool.running.empty()) return;
  const LaunchWork end = std::get<0>(*pool.running.begin());
  const LaunchWork left = end > pool.done ? end - pool.done : 0;
  const std::uint64_t speed = launch_speed(processors_, pool.running.size());
  pool.due = pool.at + static_cast<std::uint64_t>((left + speed - 1) / speed);
  due_.insert({pool.due, index});
}

void LaunchQueue::pop(std::uint64_t now, const std::function<void(Id)>& over) {
  while (!due_.empty() && due_.begin()->first <= now) {
    const std::size_t index = due_.begin()->second;
    Pool& pool = pools_[index];
    go_on(pool, now);
    while (!pool.running.empty() && std::get<0>(*pool.running.begin()) <= pool.done) {
      const Id id = std::get<1>(*pool.running.begin());
      pool.running.erase(pool.running.begin());
      where_.erase(id);
      over(id);
    }
    plan(index);
  }
}

}  // namespace wavewright::sim
