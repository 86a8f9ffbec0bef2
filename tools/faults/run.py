"""Real jobs under a daemon to which a fault happens, twenty of which reach YARN, and what must hold at the end whatever it was."""
import collections
import json
import os
import secrets
import shutil
import subprocess
import time

from faults.daemon import Daemon

AT_YARN = 20
JOBS = AT_YARN + 2  # of the last two, one has a command that fails, and the other waits for it
ENDS = ("Done", "Failed", "Cancelled", "Unknown")
HOUR = 3_600_000


def wrong_risks(events, jumped_over):
    """Mistakes in the risks that the log tells, where nothing but the daemon's clock put promises at risk. That clock went over the deadlines of
    the jobs `jumped_over`, and came back: the promise of each was at risk, and is safe again."""
    told = {}
    for each in events:
        if each["what"] in ("PromiseAtRisk", "PromiseSafe"):
            told.setdefault(each["job"], []).append(each["what"])
    wrong = [f"the log tells that {job} is at risk, and nothing was" for job in sorted(set(told) - set(jumped_over))]
    for job in jumped_over:
        words = told.get(job, [])
        if words[:1] != ["PromiseAtRisk"] or words[-1] != "PromiseSafe":
            wrong.append(f"the clock went over the deadline of {job}, and came back, and the log tells of its promise {words}")
    return wrong


class Run:
    """`fault`: its name, and that of its folder, which is made anew. `store`: a URL; without one a file in the folder."""

    def __init__(self, bench, fault, store=None, state=None):
        self.bench, self.hadoop, self.fault = bench, bench.hadoop, fault
        self.folder = bench.out / fault
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.environment = {**os.environ, "WAVEWRIGHT_STORE": store or f"sqlite:{self.folder}/store.db", "TZ": "UTC",
                            "XDG_STATE_HOME": str(state or self.folder / "state"), "PATH": f"{self.hadoop.programs}:{os.environ['PATH']}",
                            "WAVEWRIGHT_RESOURCE_MANAGER": self.hadoop.address, "WAVEWRIGHT_HISTORY_SERVER": self.hadoop.history}
        self.draw, self.problems, self.daemons, self.started = bench.draw(fault), [], [], 0
        self.options, self.promised, self.kept, self.foreseen, self.promise_note = (), [], 0, [], ""
        self.began, self.submitted_before = time.time(), self.hadoop.submitted()
        self.say(f"{JOBS} jobs, store {self.environment['WAVEWRIGHT_STORE']}")

    def say(self, text):
        print(f"{time.strftime('%H:%M:%S')}  {self.fault}: {text}", flush=True)

    def complain(self, text):
        self.problems.append(text)
        self.say(f"WRONG: {text}")

    # ---- daemons

    def start(self, words=(), options=None, environment=None):
        self.started += 1
        daemon = Daemon(self.bench.command, {**self.environment, **(environment or {})}, self.folder, words,
                        self.options if options is None else options)
        self.daemons.append(daemon)
        return daemon

    def leader(self):
        return next((each for each in self.daemons if each.lives() and each.url), None)

    def wait(self, so, patience, what):
        """Seconds until it is so; a problem if it is not in time."""
        began = time.time()
        while not so():
            if time.time() - began > patience:
                self.complain(f"{what}: not within {patience} s; the daemons' last words: {[each.lines[-2:] for each in self.daemons[-2:]]}")
                return None
            time.sleep(0.1)
        return time.time() - began

    def wait_for_leader(self, patience=60):
        return self.wait(self.leader, patience, "a daemon leads")

    def token(self):
        for folder in (self.environment["XDG_STATE_HOME"], *(str(each) for each in self.folder.glob("state*"))):
            path = os.path.join(folder, "wavewright/serve.token")
            if os.path.exists(path):
                return open(path, encoding="utf-8").read().strip()
        raise RuntimeError("no token")

    def promise(self, targets=None):
        """Daemons started from now on promise deadlines. `targets`: their file of targets; without one it is in the folder."""
        (self.folder / "slots.toml").write_text('[mode]\nkind = "slots"\n[masters]\nstart_ms = 20000\n'
                                                '[[nodes]]\ncount = 2\nmap_slots = 4\nreduce_slots = 2\n')
        key = self.folder / "key"
        key.write_text(secrets.token_hex(32))
        key.chmod(0o600)
        self.options = ["--promise", "--cluster", str(self.folder / "slots.toml"), "--targets", str(targets or self.folder / "targets"),
                        "--targets-key", str(key)]

    # ---- jobs

    def command_of(self, maps, length, more=()):
        return ["hadoop", "jar", self.hadoop.sleep_jar, "org.apache.hadoop.mapreduce.SleepJob", "{options}", *more,
                "-m", str(maps), "-r", "0", "-mt", str(length), "-rt", "1"]

    def ask_for(self, job):
        """Whether its deadline is promised, and what the daemon says."""
        told = subprocess.run([self.bench.command, "submit", "-", "--daemon", self.leader().url, "--admit", "--json"], input=json.dumps(job) + "\n",
                              env={**self.environment, "WAVEWRIGHT_TOKEN": self.token()}, cwd=self.folder, capture_output=True, text=True,
                              check=False)
        if told.returncode not in (0, 1):
            raise SystemExit(f"live-faults: no deadline was asked for: {told.stderr.strip()}")
        return told.returncode == 0, json.loads(told.stdout)

    def add_promised(self, bound_ms=60_000, map_ms=45_000):
        """Before any other job: one that has time, and one whose three maps YARN runs one after another, though there are slots for all
        three at once, so that its promise cannot be kept. Each task is shorter than was said: maps of the second job take `map_ms`, and
        `bound_ms` are said. Its deadline is `bound_ms` and some 40 s away, and its risk shows `bound_ms` before it."""
        self.add_early({"id": "P1", "map_ms": [20_000], "deadline_ms": 280_000, "command": self.command_of(1, 2_000)})
        late = {"id": "P2", "map_ms": [bound_ms] * 3, "deadline_ms": 20_000,
                "command": self.command_of(3, map_ms, ["-D", "mapreduce.job.running.map.limit=1"])}
        promised, told = self.ask_for(late)
        if promised or not told["refused"][0].get("earliest_deadline_ms"):
            raise SystemExit(f"live-faults: P2 is promised in 20 s, or never: {told}")
        promised, told = self.ask_for(late | {"deadline_ms": told["refused"][0]["earliest_deadline_ms"] - int(1000 * time.time()) + 5_000})
        if not promised:
            raise SystemExit(f"live-faults: what the daemon would promise it does not: {told}")
        self.promised.append("P2")

    def add_early(self, job):
        """One whose deadline is promised, and met."""
        promised, told = self.ask_for(job)
        if not promised:
            raise SystemExit(f"live-faults: {job['id']} is not promised: {told}")
        self.promised.append(job["id"])

    def add_jobs(self, seconds, tasks=False):
        """Their times are spread over so many seconds. `tasks`: in containers of their own, not in the application's master."""
        together = [] if tasks else ["-D", "mapreduce.job.ubertask.enable=true"]
        lines = []
        for number in range(1, JOBS + 1):
            maps, length = (2, 4_000) if tasks else (1, self.draw.randint(1_000, 2_000))
            at = int(1000 * seconds * (number - 1) / JOBS)
            job = {"id": f"J{number:02}", "submit_ms": at, "deadline_ms": 10 * HOUR,
                   "command": self.command_of(maps, length, together)}
            if self.promised:  # beside a job of whose tasks nothing is known no deadline is sure
                job["map_ms"] = [30_000] * maps
            if number in (3, 11):
                job["deadline_ms"] = at + 1_000  # nobody can keep it
            if number in (5, 14):
                job["after"] = [f"J{number - 3:02}"]
            if number == JOBS - 1:
                job["command"][3] = "org.apache.hadoop.mapreduce.NoJob"  # its command fails, and YARN never has it
            if number == JOBS:
                job["after"] = [f"J{JOBS - 1:02}"]
            lines.append(json.dumps(job) + "\n")
        path = self.folder / "jobs.jsonl"
        path.write_text("".join(lines))
        told = subprocess.run([self.bench.command, "submit", path, "--run", "queue"], env=self.environment, cwd=self.folder, capture_output=True,
                              text=True, check=False)
        if told.returncode != 0:
            raise SystemExit(f"live-faults: the jobs were not added: {told.stderr.strip()}")

    def jobs(self):
        told = subprocess.run([self.bench.command, "queue", "--run", "queue", "--json"], env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, check=False)
        return json.loads(told.stdout)["jobs"] if told.returncode == 0 else []

    def states(self):
        return collections.Counter(each["state"] for each in self.jobs())

    def state(self, job):
        return next((each["state"] for each in self.jobs() if each["id"] == job), "")

    def all_ended(self):
        jobs = self.jobs()
        return len(jobs) == JOBS + len(self.promised) and all(each["state"] in ("done", "failed", "cancelled", "unknown") for each in jobs)

    # ---- what must hold

    def finish(self, told=(), patience=1200, lost=(), jumped_over=None):
        """`told`: events of the batch that the log must have, and how many at least. `lost`: ids of jobs that may be unknown, as
        the ResourceManager forgot them. `jumped_over`: ids of promised jobs over whose deadlines the daemon's clock went, and came back;
        nothing else puts a promise at risk."""
        took = self.wait(self.all_ended, patience, "all jobs end")
        self.wait(lambda: self.leader() and self.hadoop.look(), 60, "daemon and ResourceManager answer")
        jobs = self.jobs()
        events = self.leader().events(self.token()) if self.leader() else []
        for each in jobs:
            self.check_job(each, events, lost, jumped_over or ())
        own = {each for job in jobs for each in self.hadoop.with_tag(job["tag"])}
        submitted = self.hadoop.submitted() - self.submitted_before
        if submitted != len(own):
            self.complain(f"the ResourceManager took {submitted} applications, and {len(own)} have the tags of the jobs")
        batch = collections.Counter(each["what"] for each in events if not each["job"])
        for what, least in told:
            if batch[what] < least:
                self.complain(f"the log tells {batch[what]} times '{what}', not {least}")
        if "P2" in self.promised and not self.foreseen:
            self.complain(f"no promise was missed, and P2's was to be: {self.kept} were kept")
        for each in wrong_risks(events, jumped_over) if jumped_over is not None else ():
            self.complain(each)
        if submitted < AT_YARN:
            self.complain(f"only {submitted} applications reached YARN")
        for each in self.daemons:
            if each.lives() and each.stop() != 0:
                self.complain("the daemon did not end with 0 after SIGTERM")
        (self.folder / "events.json").write_text(json.dumps(events, indent=1))
        result = {"fault": self.fault, "hadoop": self.hadoop.version, "problems": self.problems, "jobs": len(jobs), "listed": JOBS,
                  "promises": {"asked": len(self.promised), "kept": self.kept, "told_before_s": [round(each) for each in self.foreseen],
                               "note": self.promise_note},
                  "applications": submitted,
                  "states": collections.Counter(each["state"] for each in jobs), "daemons": self.started,
                  "again": sum(each["attempts"] > 1 for each in jobs), "events": batch, "all_events": len(events),
                  "seconds": round(time.time() - self.began), "told": took is not None}
        self.say(f"{'WRONG' if self.problems else 'good'}: {json.dumps({key: result[key] for key in ('states', 'applications', 'again', 'events', 'seconds')})}")
        return result

    def check_job(self, job, events, lost, jumped_over):
        promised = job["id"] in self.promised
        own, number = self.hadoop.with_tag(job["tag"]), 0 if promised else int(job["id"][1:])
        told = [each["what"] for each in events if each["job"] == job["id"]]
        wanted = {JOBS - 1: ("failed", 0), JOBS: ("cancelled", 0)}.get(number, ("done", 1))
        is_lost = job["id"] in lost and job["state"] == "unknown" and len(own) == 1
        if (job["state"], len(own)) != wanted and not is_lost:
            self.complain(f"{job['id']} is {job['state']} ({job['reason']}) with {sorted(own)}")
        if sorted(own) != sorted(job["applications"]):
            self.complain(f"{job['id']} knows {job['applications']}, and YARN has {sorted(own)}")
        ends = [self.hadoop.final_status(each) for each in own.values()]
        if job["state"] == "done" and any(each != "SUCCEEDED" for each in ends):
            self.complain(f"{job['id']} is done, and its application ended as {ends}")
        if sum(told.count(each) for each in ENDS) != 1:
            self.complain(f"{job['id']}: the log tells {told}")
        if told.count("Accepted") != len(own) or (own and told.count("Submitting") != job["attempts"]):
            self.complain(f"{job['id']} with {job['attempts']} attempts and {len(own)} applications: the log tells {told}")
        late = number in (3, 11)
        if promised:
            late = (job["ended_ms"] or 0) > job["deadline_ms"]
            self.check_promise(job, events)
            late = late or job["id"] in jumped_over  # by the clock of the daemon, which is not taken back
        if told.count("Late") != late:
            self.complain(f"{job['id']}, {'late' if late else 'not late'}: the log tells {told}")

    def check_promise(self, job, events):
        """It met its deadline; or the log told before that passed that it is at risk, and did not take that back."""
        deadline = job["deadline_ms"]
        if job["state"] == "done" and job["ended_ms"] <= deadline:
            self.kept += 1
            return
        told = [each for each in events
                if each["job"] == job["id"] and each["what"] in ("PromiseAtRisk", "PromiseSafe") and each["at_ms"] <= deadline]
        if not told or told[-1]["what"] != "PromiseAtRisk":
            self.complain(f"{job['id']} broke its promise, and before its deadline the log told {[each['what'] for each in told]}")
        else:
            self.foreseen.append((deadline - told[-1]["at_ms"]) / 1000)
