// The event sources of a simulation, in the order in which they act within an instant.
//
// A source knows when it acts next, and acts. The list is fixed at compile time, so asking a source is not a
// virtual call. A new kind of event is one more source in the list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace wavewright::sim {

template <class Next, class Fire>
struct EventSource {
  Next next;  // the next instant at which it acts, ms; all bits set = never
  Fire fire;  // acts at the present instant; does nothing if it is not due
};

template <class Next, class Fire>
[[nodiscard]] EventSource<Next, Fire> event_source(Next next, Fire fire) {
  return {std::move(next), std::move(fire)};
}
// A step that runs at every instant and asks for none of its own.
template <class Fire>
[[nodiscard]] auto every_instant(Fire fire) {
  return event_source([] { return ~std::uint64_t{0}; }, std::move(fire));
}

template <class... Sources>
class EventSources {
 public:
  explicit EventSources(Sources... sources) : sources_(std::move(sources)...) {}

  [[nodiscard]] std::uint64_t next() {
    return std::apply([](auto&... each) { return std::min({each.next()...}); }, sources_);
  }
  void fire() {
    std::apply([](auto&... each) { (each.fire(), ...); }, sources_);
  }

 private:
  std::tuple<Sources...> sources_;
};

}  // namespace wavewright::sim
