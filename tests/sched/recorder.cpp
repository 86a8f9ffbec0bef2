#include "tests/sched/recorder.h"

#include <fmt/format.h>

namespace wavewright {

namespace {

std::string amount(Count count) {
  return count == unlimited ? "any" : std::to_string(count);
}
std::string of_class(ClassId node_class) {
  return node_class == any_class ? "any class" : fmt::format("class {}", node_class);
}
std::string text(const Limits& limits) {
  return fmt::format("{}/{}", amount(limits.map_slots), amount(limits.reduce_slots));
}

}  // namespace

void Recorder::admit(JobIndex job, GroupId group) {
  decided_.lines.push_back(fmt::format("admit {} to {}", id_(job), group));
  next_.admit(job, group);
  decided_.admitted[job] = group;
}
void Recorder::reject(JobIndex job, const Reason& reason) {
  decided_.lines.push_back(fmt::format("reject {} {}", id_(job), reason.code));
  next_.reject(job, reason);
}
void Recorder::explain(JobIndex job, const Reason& reason) {
  decided_.lines.push_back(fmt::format("explain {} {}", id_(job), reason.code));
  next_.explain(job, reason);
}
void Recorder::group(GroupId group, GroupId parent, Limits guaranteed, Limits max) {
  decided_.lines.push_back(
      fmt::format("group {} under {} guaranteed {} max {}", group, parent, text(guaranteed), text(max)));
  next_.group(group, parent, guaranteed, max);
  decided_.groups[group] = {parent, guaranteed, max};
}
void Recorder::rank(JobIndex job, Kind kind, Key key) {
  decided_.lines.push_back(fmt::format("rank {} {} {}", id_(job), name_of(kind), key));
  next_.rank(job, kind, key);
}
void Recorder::rank_group(GroupId group, Kind kind, Key key) {
  decided_.lines.push_back(fmt::format("rank group {} {} {}", group, name_of(kind), key));
  next_.rank_group(group, kind, key);
}
void Recorder::order(GroupId group, Ordering ordering) {
  constexpr const char* names[] = {"ranked", "fair", "by_best"};
  decided_.lines.push_back(fmt::format("order group {} {}", group, names[static_cast<int>(ordering)]));
  next_.order(group, ordering);
}
void Recorder::share(JobIndex job, Kind kind, Share share) {
  decided_.lines.push_back(fmt::format("share {} {} minimum {} weight {}", id_(job), name_of(kind),
                                       share.minimum, share.weight_thousandths));
  next_.share(job, kind, share);
}
void Recorder::share_group(GroupId group, Kind kind, Share share) {
  decided_.lines.push_back(fmt::format("share group {} {} minimum {} weight {}", group, name_of(kind),
                                       share.minimum, share.weight_thousandths));
  next_.share_group(group, kind, share);
}
void Recorder::cap(JobIndex job, Kind kind, ClassId node_class, Count count) {
  decided_.lines.push_back(
      fmt::format("cap {} {} {} {}", id_(job), name_of(kind), of_class(node_class), amount(count)));
  next_.cap(job, kind, node_class, count);
  decided_.caps[job][{kind, node_class}] = count;
}
void Recorder::reserve(JobIndex job, Kind kind, ClassId node_class, Count count, Time from, Time to) {
  decided_.lines.push_back(fmt::format("reserve {} {} {} {} from {} to {}", id_(job), name_of(kind),
                                       of_class(node_class), count, to_ms(from), to_ms(to)));
  next_.reserve(job, kind, node_class, count, from, to);
}
void Recorder::preempt(JobIndex job, Kind kind, ClassId node_class, Count count, Duration grace) {
  decided_.lines.push_back(fmt::format("preempt {} {} {} {} after {}", id_(job), name_of(kind),
                                       of_class(node_class), count, to_ms(grace)));
  next_.preempt(job, kind, node_class, count, grace);
}
void Recorder::near_only(JobIndex job, bool only) {
  decided_.lines.push_back(fmt::format("{} {}", only ? "near" : "anywhere", id_(job)));
  next_.near_only(job, only);
}
void Recorder::set_timer(Time at, Token token) {
  decided_.lines.push_back(fmt::format("timer {} at {}", token, to_ms(at)));
  next_.set_timer(at, token);
}
void Recorder::cancel_timer(Token token) {
  decided_.lines.push_back(fmt::format("cancel timer {}", token));
  next_.cancel_timer(token);
}
LeaseId Recorder::rent(const LeaseRequest& request) {
  const std::string bid = request.bid ? fmt::format(" for at most {}", request.bid->micro_usd) : "";
  decided_.lines.push_back(fmt::format("rent {} of class {}{}", request.machines, request.node_class, bid));
  return next_.rent(request);
}
void Recorder::give_back(LeaseId lease) {
  decided_.lines.push_back(fmt::format("give back {}", lease));
  next_.give_back(lease);
}

}  // namespace wavewright
