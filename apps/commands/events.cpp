// `wavewright events`: what happened to the jobs of a batch that runs.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "apps/commands/batch_desk.h"
#include "apps/commands/follow_events.h"
#include "apps/commands/live_view.h"
#include "apps/context.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/when.h"
#include "wavewright/live/batch/live_document.h"

namespace wavewright::app {

namespace {

struct Options {
  DeskOptions desk;
  Count limit = 1'000;
  bool follow = false;
  std::string length;  // of --for
};

Json numbered_document(const NumberedEvent& event) {
  Json document = event_document(event.event);
  document["number"] = event.number;
  return document;
}

// Shows events as they come, and keeps them where one document is wanted at the end.
class Teller {
 public:
  explicit Teller(const Context& context) : context_(context) {}

  void tell(const NumberedEvent& event) {
    last_ = event.number;
    if (context_.json) {
      told_.push_back(numbered_document(event));
      return;
    }
    std::cout << event_line(format_instant(event.event.at), event.event) << '\n';
    std::cout.flush();
  }

  [[nodiscard]] std::int64_t last() const { return last_; }
  void begin_behind(std::int64_t number) { last_ = number; }

  void end(const std::string& run, bool partial) const {
    if (!context_.json) return;
    Json document = {{"run", run}, {"events", told_}};
    if (partial) document["partial"] = true;
    context_.print(document);
  }

 private:
  const Context& context_;
  std::int64_t last_ = 0;
  Json told_ = Json::array();
};

int events(const Context& context, const Options& options) {
  if (!options.length.empty() && !options.follow)
    throw UsageError("--for without --follow", "add --follow, or leave it away");
  context.ends_itself = true;
  const Time end = options.length.empty() ? Time::max() : now_instant() + parse_duration(options.length);
  const std::unique_ptr<BatchDesk> desk = open_desk(context, options.desk);
  const std::string run = desk->head().name;
  Teller teller(context);
  const std::int64_t last = desk->last_event();
  teller.begin_behind(std::max<std::int64_t>(0, last - options.limit));
  while (teller.last() < last && !context.interrupted.load()) {
    const std::vector<NumberedEvent> page = desk->events(teller.last());
    for (const NumberedEvent& event : page) {
      if (event.number <= last) teller.tell(event);
    }
    if (page.empty()) teller.begin_behind(last);
  }
  const bool interrupted =
      options.follow && !follow_events(context, *desk, teller.last(), end, [&](const NumberedEvent& event) {
        teller.tell(event);
        return true;
      });
  teller.end(run, interrupted);
  return static_cast<int>(interrupted ? ExitStatus::interrupted : ExitStatus::done);
}

}  // namespace

void add_events(CLI::App& root, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand("events", "What happened to the jobs of the batch that runs");
  command->footer(
      "Example: wavewright events --limit 50\n"
      "         wavewright events --follow --daemon https://wavewright.example.org:8190");
  options->desk.declare(*command, "the batch");
  command->add_option("--limit", options->limit, "the latest so many at first (default 1000)")
      ->type_name("N")
      ->check(whole_number(0));
  command->add_flag("--follow", options->follow, "show what happens from now on, too, until Ctrl-C");
  command->add_option("--for", options->length, "with --follow: stop after so long, like 8h")
      ->type_name("TIME");
  command->callback([&context, options] {
    options->desk.parsed();
    context.run = [&context, options] { return events(context, *options); };
  });
}

}  // namespace wavewright::app
