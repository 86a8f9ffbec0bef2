// `wavewright events`: what happened to the jobs of a batch that runs.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include <fmt/format.h>

#include "apps/commands/batch_desk.h"
#include "apps/context.h"
#include "apps/table.h"
#include "apps/whole_number.h"
#include "wavewright/core/error.h"
#include "wavewright/core/interrupted.h"
#include "wavewright/core/when.h"
#include "wavewright/live/live_document.h"

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
    std::string line =
        fmt::format("{}  {}  {}", format_instant(event.event.at), event.event.job, event_word(event.event));
    if (!event.event.detail.empty()) line += ": " + event.event.detail;
    std::cout << harmless(line) << '\n';
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

// Until Ctrl-C, or that instant. A daemon that goes away is waited for.
bool follow(const Context& context, BatchDesk& desk, Teller& teller, Time end) {
  constexpr std::chrono::milliseconds longest = std::chrono::hours(1);
  std::string away;
  while (!context.interrupted.load() && now_instant() < end) {
    try {
      const auto left = std::min<std::chrono::milliseconds>(end - now_instant(), longest);
      desk.follow(teller.last(), left, [&](const NumberedEvent& event) { teller.tell(event); });
      away.clear();
    } catch (const Interrupted&) {
      break;
    } catch (const ExternalError& error) {
      if (away != error.what()) context.note(fmt::format("{}; waiting", error.what()));
      away = error.what();
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  }
  return context.interrupted.load();
}

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
  const bool interrupted = options.follow && follow(context, *desk, teller, end);
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
