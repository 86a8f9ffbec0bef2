// Tells people that a cluster, a store or a daemon is away: once, until it answers again.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace wavewright {

class Outages {
 public:
  // `note` shows a line.
  explicit Outages(std::function<void(const std::string&)> note) : note_(std::move(note)) {}

  void tell(const std::string& problem) {
    if (problem != told_) note_(problem + "; waiting");
    told_ = problem;
  }
  void over() {
    if (!told_.empty()) note_("there is an answer again");
    told_.clear();
  }

 private:
  std::function<void(const std::string&)> note_;
  std::string told_;
};

}  // namespace wavewright
