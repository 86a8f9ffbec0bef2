#include "tests/live/simulated_cluster.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wavewright/core/error.h"

namespace wavewright {

namespace {

constexpr Duration history_delay = ms(30'000);

}  // namespace

SimulatedCluster::SimulatedCluster(std::uint64_t seed, LiveBatch batch, std::vector<SimulatedJob> jobs,
                                   LiveFaults faults, const DriverOptions& options)
    : random_(seed, "simulated cluster"),
      twice_(seed, "what comes twice"),
      broken_(seed, "what the history cannot load"),
      refusing_(seed, "which kills are refused"),
      faults_(faults),
      settling_(options.settling),
      forgetting_(options.forgetting),
      most_at_once_(options.most_at_once),
      most_attempts_(static_cast<std::int64_t>(options.most_attempts)),
      kept_(faults.kept),
      batch_(std::move(batch)),
      jobs_(std::move(jobs)) {
  for (const LiveJob& job : batch_.jobs) note_promise(job);
}

// ── Faults

void SimulatedCluster::fault(bool journal) {
  if (happens(faults_.crash)) crash();
  if (happens(faults_.no_answer)) no_answer(journal);
  if (!paused_ && other_program_ && happens(faults_.paused)) {
    paused_ = true;
    const std::string own = machine_;
    if (happens(faults_.moves)) machine_ = "third";
    try {
      other_program_();
    } catch (...) {
      paused_ = false;
      machine_ = own;
      throw;
    }
    paused_ = false;
    machine_ = own;
  }
}

void SimulatedCluster::crash() {
  if (happens(faults_.moves)) machine_ = machine_ == "first" ? "second" : "first";
  throw Crash();
}

void SimulatedCluster::no_answer(bool journal) {
  throw ExternalError({journal ? "journal" : "cluster"}, "no answer", "wait");
}

void SimulatedCluster::before_effect(bool journal) {
  fault(journal);
  if (journal && now_ < journal_back_) no_answer(true);
}

void SimulatedCluster::after_effect(bool journal) {
  fault(journal);
}

// A full disk: what is to be written fails, and has no effect.
void SimulatedCluster::need_room(bool journal) {
  if (now_ < (journal ? room_back_ : folder_back_)) no_answer(journal);
}

void SimulatedCluster::take_away(Duration cluster, Duration journal) {
  cluster_back_ = now_ + cluster;
  journal_back_ = now_ + journal;
}

void SimulatedCluster::set_deadline(const std::string& job, Time deadline) {
  for (LiveJob& each : batch_.jobs) {
    if (each.id == job) each.deadline = deadline;
  }
}

void SimulatedCluster::heal() {
  faults_ = {};
  cluster_back_ = journal_back_ = room_back_ = folder_back_ = {};
  wall_offset_ = ms(1'700'000'000'000);
}

void SimulatedCluster::violate(const std::string& what) {
  if (violation_.empty()) violation_ = fmt::format("at {} ms: {}", to_ms(now_), what);
}

// ── Time

void SimulatedCluster::advance(Duration about) {
  const Duration until =
      now_ + ms(1 + static_cast<std::int64_t>(static_cast<double>(about.count()) * 2 * random_.unit()));
  while (now_ < until) {
    const Duration step = std::min(until - now_, ms(500));
    now_ += step;
    const double seconds = static_cast<double>(step.count()) / 1000;
    if (now_ >= cluster_back_ && happens(faults_.restart * seconds)) restart();
    if (now_ >= cluster_back_ && happens(faults_.fails_over * seconds)) fail_over();
    if (now_ >= cluster_back_ && happens(faults_.cut_off * seconds)) {
      ++outages_;  // the next list does not tell of it
      cluster_back_ = now_ + draw(1'000, 90'000);
    }
    if (happens(faults_.disk_full * seconds)) (happens(0.5) ? room_back_ : folder_back_) = now_ + ms(60'000);
    if (now_ >= journal_back_ && happens(faults_.store_away * seconds)) journal_back_ = now_ + ms(60'000);
    if (happens(faults_.clock_jumps * seconds))
      wall_offset_ += happens(0.5) ? draw(-21'600'000, 21'600'000) : draw(-120'000, 120'000);
    if (happens(faults_.wish * seconds)) {
      const LiveJob& job = batch_.jobs[random_.below(batch_.jobs.size())];
      wish_for(job.id, static_cast<Wish>(random_.below(3)));
    }
    move_runs();
    if (happens(faults_.others_end * seconds)) ++ended_;
    for (auto& [key, process] : clients_) {
      if (process.alive) move_client(key, process);
    }
    move_requests(step);
    move_kills();
    if (happens(faults_.reboot * seconds)) {
      kill_clients_here();
      crash();
    }
  }
}

void SimulatedCluster::note_outage() {
  ++outages_;
  for (auto& [key, process] : clients_) process.saw_outage |= process.alive;
}

void SimulatedCluster::restart() {
  note_outage();
  cluster_back_ = now_ + draw(1'000, happens(0.5) ? 10'000 : 120'000);
  cluster_began_ = now_;
  ended_before_ = ended_;
  if (!happens(faults_.forgets)) return;
  ++incarnation_;
  forgot_ = true;
  for (Run& run : runs_) {
    run.listed = false;
    if (run.ended) continue;
    end(run, now_, ApplicationState::killed);
    run.recorded = false;
  }
  ended_before_ = forgotten_ = ended_;
  requests_.clear();
}

// What is on its way to the old ResourceManager may be lost; clients send it to the new one.
void SimulatedCluster::fail_over() {
  note_outage();
  replaced_ = list();
  cluster_back_ = now_ + draw(1'000, 30'000);
  cluster_began_ = now_;
  ended_before_ = ended_;
  // Before the new one is there, or beside it.
  replaced_from_ = happens(0.5) ? now_ : cluster_back_;
  replaced_until_ = replaced_from_ + draw(0, settling_.count() / 2);
  std::erase_if(requests_, [&](const Request& each) {
    Process& process = clients_.at(each.client);
    if (!process.alive || happens(0.5)) return false;
    // Its client asks again, unless another copy has come.
    if (!process.waits_for && each.stage == process.stage) process.sends = now_ + draw(100, 2'000);
    return true;
  });
}

// A machine sends again what met no cluster, after an interval that is at most as long as it has tried.
void SimulatedCluster::move_requests(Duration step) {
  std::vector<Request> due;
  std::erase_if(requests_, [&](Request& each) {
    const bool away = now_ < cluster_back_;
    const bool due_again = each.again && now_ >= *each.again;
    if (away && (due_again || (!each.again && happens(faults_.resent)))) {
      each.again = now_ + draw(0, std::min<std::int64_t>((now_ - each.sent).count(), 120'000));
    } else if (due_again) {
      each.again.reset();
    }
    if (away || each.again) return false;
    each.way -= step;
    if (each.way > Duration{}) return false;
    due.push_back(each);
    return true;
  });
  for (const Request& each : due) arrive(each);
}

// One that finds its application ended has no effect.
void SimulatedCluster::move_kills() {
  std::erase_if(kills_, [&](const Kill& each) {
    if (now_ < each.comes || now_ < cluster_back_) return false;
    kill_run(each.application);
    return true;
  });
}

void SimulatedCluster::kill_run(const std::string& id) {
  for (Run& run : runs_) {
    if (run.id == id && !run.ended) end(run, now_, ApplicationState::killed);
  }
}

void SimulatedCluster::move_runs() {
  for (Run& run : runs_) {
    if (run.ended) continue;
    if (now_ >= run.ends) {
      end(run, run.ends, run.will_fail ? ApplicationState::failed : ApplicationState::succeeded);
    } else if (now_ >= run.starts) {
      run.state = ApplicationState::running;
    }
  }
}

void SimulatedCluster::end(Run& run, Duration at, ApplicationState state) {
  run.ended = at;
  run.state = state;
  run.number = ++ended_;
}

void SimulatedCluster::move_client(const std::string& key, Process& process) {
  if (happens(faults_.client_dies / 2)) {
    process.alive = false;
    if (jobs_[process.job].applications > 1) stages_cut_ = true;
    return;
  }
  const auto exit = [&](int status) {
    process.alive = false;
    process.exit_status = status;
  };
  const auto ask_next = [&](Duration after) {
    process.sends = now_ + after;
    process.gives_up = process.sends + ms(30'000);
  };
  const SimulatedJob& job = jobs_[process.job];
  if (process.waits_for) {
    const Run& run = runs_[*process.waits_for];
    if (!run.ended) return;
    if (now_ < cluster_back_) return;  // it asks until there is an answer
    if (run.state != ApplicationState::succeeded) return exit(1);
    process.waits_for.reset();
    if (++process.stage == job.applications) return exit(0);
    return ask_next(draw(100, 2'000));
  }
  if (process.sends == Duration::max()) {  // its request is on its way
    if (now_ >= process.gives_up) exit(1);
    return;
  }
  if (now_ < process.sends || job.command_hangs) return;
  if (process.bad) return exit(1);
  if (job.applications == 0) return exit(0);
  if (now_ < cluster_back_) {  // refused at once
    if (now_ >= process.gives_up) exit(1);
    return;
  }
  process.sends = Duration::max();
  const bool slow = happens(faults_.slow_request);
  // Nothing of a client is on its way for `settling` once it is dead.
  const Duration way = slow ? draw(0, settling_.count() - 600) : draw(1, 300);
  if (slow && happens(0.5)) process.gives_up = now_ + ms(100);  // it does not wait for the answer
  requests_.push_back({process.job, process.stage, way, key, now_});
  if (!comes_twice()) return;
  const Duration other_way = ms(twice_.integer(1, settling_.count() - 600));
  requests_.push_back({process.job, process.stage, other_way, key, now_});
}

void SimulatedCluster::arrive(const Request& request) {
  const SimulatedJob& job = jobs_[request.job];
  const LiveJob& live = batch_.jobs[request.job];
  for (const Run& run : runs_) {
    if (run.job != request.job || run.stage != request.stage) continue;
    // The same client asks with the same application id, and YARN drops what comes again. It forgets an ended
    // application after a thousand later ones: after more time than a copy is on its way, whatever `kept` is.
    if (run.client == request.client) {
      ++dropped_;
      return;
    }
    violate(fmt::format("{} was accepted twice: {}", live.id, run.id));
  }
  for (const std::string& before : live.after) {
    for (const LiveJob& each : batch_.jobs) {
      if (each.id == before && each.state != LiveState::done)
        violate(fmt::format("{} was accepted before {} was done", live.id, before));
    }
  }
  if (has_ended(live.state))
    violate(fmt::format("{} was accepted after it had ended as {}", live.id, to_string(live.state)));
  Run run;
  run.id = fmt::format("application_{}_{:04}", incarnation_, runs_.size() + 1);
  run.job = request.job;
  run.stage = request.stage;
  run.client = request.client;
  run.accepted = now_;
  run.starts = now_ + draw(100, 15'000);
  run.ends = run.starts + draw(1'000, 2 * job.length.count());
  if (job.maps > 0) run.ends = run.starts + job.maps * job.map_length;
  if (job.application_hangs) run.ends = Duration::max();
  run.will_fail = happens(faults_.job_fails);
  if (faults_.history_broken > 0 && broken_.unit() < faults_.history_broken)
    run.unread_until = broken_.below(2) == 0 ? Duration::max() : now_ + ms(broken_.integer(0, 1'500'000));
  runs_.push_back(run);
  if (request.stage == 0) accepted_.push_back(live.id);
  Process& process = clients_.at(request.client);
  if (!process.alive) return;
  process.waits_for = runs_.size() - 1;
  if (job.detached) {
    process.alive = false;
    process.exit_status = 0;
  }
}

void SimulatedCluster::kill_clients_here() {
  for (auto& [key, process] : clients_) {
    if (process.machine != machine_) continue;
    if (process.alive && jobs_[process.job].applications > 1) stages_cut_ = true;
    process.alive = false;
  }
}

void SimulatedCluster::wish_for(const std::string& job, Wish wish) {
  if (wish == Wish::cancel) wished_.insert(job);
  make_wish(job, wish);
  if (comes_twice()) make_wish(job, wish);
}

void SimulatedCluster::make_wish(const std::string& job, Wish wish) {
  wishes_.push_back({std::to_string(++wishes_made_), job, wish});
  if (copy_wish_) copy_wish_(wishes_.back());
}

void SimulatedCluster::cancel_what_hangs() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].hangs()) wish_for(batch_.jobs[i].id, Wish::cancel);
  }
}

void SimulatedCluster::add(LiveJob job, const SimulatedJob& what) {
  log_.push_back({wall(), job.id, "Added", ""});
  note_promise(job);
  batch_.jobs.push_back(std::move(job));
  if (copy_job_) copy_job_(batch_.jobs.back());
  jobs_.push_back(what);
}

std::vector<std::string> SimulatedCluster::accepted() const {
  return accepted_;
}

// ── The cluster, as the driver sees it

Application SimulatedCluster::shown(const Run& run) const {
  Application shown;
  shown.id = run.id;
  shown.state = run.state;
  shown.tags = {batch_.tag, batch_.jobs[run.job].tag};
  const auto at = [](Duration instant) { return at_ms(1'700'000'000'000 + to_ms(instant)); };
  shown.accepted_at = at(run.accepted);
  if (run.state != ApplicationState::accepted) shown.started_at = at(run.starts);
  if (run.ended) shown.ended_at = at(*run.ended);
  return shown;
}

std::size_t SimulatedCluster::job_with(const std::string& tag) const {
  for (std::size_t i = 0; i < batch_.jobs.size(); ++i) {
    if (batch_.jobs[i].tag == tag) return i;
  }
  throw InternalError("no job has the tag " + tag);
}

ListMark SimulatedCluster::mark_now() const {
  ListMark mark;
  mark.incarnation = incarnation_;
  mark.began = to_ms(cluster_began_);
  mark.ended = ended_ - ended_before_;
  mark.listed = ended_ - forgotten_;
  if (kept_ == 0) return mark;
  mark.kept = kept_;
  mark.listed = std::min(mark.listed, kept_);
  return mark;
}

Applications SimulatedCluster::list() const {
  Applications seen;
  for (const Run& run : runs_) {
    const bool dropped = kept_ > 0 && run.ended && ended_ - run.number >= kept_;
    if (run.listed && !dropped) seen.list.push_back(shown(run));
  }
  seen.mark = mark_now();
  return seen;
}

Applications SimulatedCluster::applications(const std::string& tag) {
  try {
    return asked_for(tag);
  } catch (...) {
    ++outages_;
    cut_seen_ = now_ < cluster_back_;
    throw;
  }
}

Applications SimulatedCluster::asked_for(const std::string& tag) {
  before_effect(false);
  const bool stale = now_ >= replaced_from_ && now_ < replaced_until_ && happens(faults_.stale);
  if (now_ < cluster_back_ && !stale) no_answer(false);
  if (tag != batch_.tag) violate("asked for another batch's applications");
  Applications seen = stale ? replaced_ : list();
  outages_ += stale;
  outages_at_list_ = stale ? -1 : outages_;
  if (comes_twice()) {
    const std::vector<Application> rows = seen.list;
    seen.list.insert(seen.list.end(), rows.begin(), rows.end());
  }
  if (!stale && faults_.late_mark > 0 && twice_.unit() < faults_.late_mark) {
    advance(ms(1'000));
    if (now_ < cluster_back_) no_answer(false);
    seen.mark = mark_now();
  }
  if (happens(faults_.slow_answer)) advance(ms(10'000));
  after_effect(false);
  return seen;
}

bool SimulatedCluster::is_unread(const std::string& id) const {
  return std::any_of(runs_.begin(), runs_.end(),
                     [&](const Run& run) { return run.id == id && now_ < run.unread_until; });
}

std::optional<Application> SimulatedCluster::ended_application(const std::string& id) {
  before_effect(false);
  for (const Run& run : runs_) {
    if (run.id != id || !run.ended || !run.recorded || now_ - *run.ended <= history_delay) continue;
    if (is_unread(id)) throw HistoryUnread(ExternalError({"history"}, "cannot load " + id, "wait"));
    return shown(run);
  }
  return std::nullopt;
}

std::vector<Application> SimulatedCluster::recorded() {
  before_effect(false);
  std::vector<Application> found;
  for (const Run& run : runs_) {
    if (run.ended && run.recorded && now_ - *run.ended > history_delay) found.push_back(shown(run));
  }
  return found;
}

bool SimulatedCluster::cannot_load_a_job() {
  return faults_.history_unread > 0 && twice_.unit() < faults_.history_unread;
}

std::vector<Application> SimulatedCluster::ended_with(const std::string& tag, Time /*since*/) {
  std::vector<Application> found = recorded();
  std::erase_if(found, [&](const Application& each) { return each.tags.at(1) != tag; });
  if (std::any_of(found.begin(), found.end(), [&](const Application& each) { return is_unread(each.id); }))
    throw HistoryUnread(ExternalError({"history"}, "cannot load a job with the tag", "wait"));
  if (cannot_load_a_job()) {
    found.resize(twice_.below(found.size() + 1));
    throw HistoryUnread(ExternalError({"history"}, "cannot load a job", "wait"), std::move(found));
  }
  return found;
}

void SimulatedCluster::kill_application(const ClientAttempt& attempt, const std::vector<std::string>& command,
                                        const std::string& id) {
  before_effect(false);
  if (now_ < cluster_back_) no_answer(false);
  const std::size_t job = job_with(attempt.tag);
  if (command != batch_.jobs[job].command.words()) violate("killed " + id + " by another command");
  bool lives = false;
  for (const Run& run : runs_) {
    if (run.id != id) continue;
    lives |= !run.ended;
    if (run.job != job) violate("killed " + id + ", which is of another job");
    if (!run.ended && !wished_.contains(batch_.jobs[run.job].id))
      violate("killed " + id + ", which nobody asked for");
  }
  if (const auto refused = refused_kills_.find(id); refused != refused_kills_.end()) {
    if (now_ >= refused->second) {
      refused_kills_.erase(refused);
      if (lives) throw ExternalError({"kill"}, "was refused", "it is tried again");
    }
  } else if (faults_.kill_refused > 0 && refusing_.unit() < faults_.kill_refused) {
    refused_kills_[id] = now_ + ms(refusing_.integer(500, 8'000));
  } else if (comes_twice()) {
    for (int i = 0; i < 2; ++i) kills_.push_back({id, now_ + ms(twice_.integer(0, 8'000))});
  } else {
    kill_run(id);
  }
  after_effect(false);
}

std::optional<JobProgress> SimulatedCluster::progress(const std::string& application) {
  before_effect(false);
  if (now_ < cluster_back_) no_answer(false);
  for (const Run& run : runs_) {
    const SimulatedJob& job = jobs_[run.job];
    if (run.id != application || job.maps == 0 || run.state != ApplicationState::running) continue;
    JobProgress progress;
    progress.at = wall();
    progress.started = at_ms(1'700'000'000'000 + to_ms(run.starts));
    progress.maps.total = job.maps;
    Duration left = now_ - run.starts;
    for (; progress.maps.done < job.maps && left >= job.map_length; left -= job.map_length) {
      ++progress.maps.done;
      progress.maps.tasks.push_back({job.map_length, true, false});
    }
    if (progress.maps.done < job.maps) {
      progress.maps.running = 1;
      progress.maps.tasks.push_back({left, false, false});
    }
    return progress;
  }
  return std::nullopt;
}

void SimulatedCluster::start(const ClientAttempt& attempt, const std::vector<std::string>& command) {
  before_effect(false);
  need_room(false);
  if (refused_starts_ > 0 && refused_starts_-- > 0) no_answer(false);
  const std::string key = key_of(attempt);
  const std::size_t job = job_with(attempt.tag);
  if (fenced_.contains(key) || clients_.contains(key)) no_answer(false);
  if (command != batch_.jobs[job].command.words()) violate("started another command");
  if (!has_begun(batch_.jobs[job].state) || batch_.jobs[job].attempts < attempt.number)
    violate(fmt::format("{} was started without an intent in the journal", batch_.jobs[job].id));
  if (batch_.jobs[job].lost_attempts >= most_attempts_)
    violate(batch_.jobs[job].id + " was started after too many attempts");
  check_attempt(attempt);
  Process process;
  process.job = job;
  process.machine = machine_;
  process.saw_outage = now_ < cluster_back_;
  process.outages = outages_at_list_;
  const LiveJob& told = batch_.jobs[job];
  process.told_away = told.cluster_away || !told.mark.same_run_as(mark_now());
  process.sends = now_ + draw(200, 8'000);
  process.gives_up = process.sends + ms(30'000);
  process.bad = happens(faults_.bad_command);
  clients_.emplace(key, process);
  after_effect(false);
}

Client SimulatedCluster::client(const ClientAttempt& attempt) {
  before_effect(false);
  const std::string key = key_of(attempt);
  const auto found = clients_.find(key);
  Client client;
  if (attempt.machine != machine_) {
    if (found != clients_.end() && found->second.machine == machine_)
      violate(attempt.tag + " is taken for another machine's");
    afar_.insert(attempt.tag);
    client.state = ClientState::elsewhere;
    after_effect(false);
    return client;
  }
  if (found == clients_.end()) {
    if (!fenced_.contains(key)) need_room(false);
    fenced_.insert(key);
    client.state = ClientState::never;
  } else if (found->second.alive) {
    client.state = ClientState::alive;
  } else if (found->second.exit_status) {
    client = {ClientState::ended, *found->second.exit_status, "last words"};
  } else {
    client.state = ClientState::gone;
  }
  after_effect(false);
  return client;
}

void SimulatedCluster::kill_client(const ClientAttempt& attempt) {
  before_effect(false);
  const auto found = clients_.find(key_of(attempt));
  if (found == clients_.end() || attempt.machine != machine_) return;
  if (!wished_.contains(batch_.jobs[found->second.job].id))
    violate("killed a client, which nobody asked for");
  found->second.alive = false;
  after_effect(false);
}

}  // namespace wavewright
