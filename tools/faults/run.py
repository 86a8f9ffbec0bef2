"""Twenty real jobs under a daemon to which a fault happens, and what must hold at the end whatever it was."""
import collections
import json
import os
import shutil
import subprocess
import time

from faults.daemon import Daemon

JOBS = 20
ENDS = ("Done", "Failed", "Cancelled", "Unknown")
HOUR = 3_600_000


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
        self.began, self.submitted_before = time.time(), self.hadoop.submitted()
        self.say(f"{JOBS} jobs, store {self.environment['WAVEWRIGHT_STORE']}")

    def say(self, text):
        print(f"{time.strftime('%H:%M:%S')}  {self.fault}: {text}", flush=True)

    def complain(self, text):
        self.problems.append(text)
        self.say(f"WRONG: {text}")

    # ---- daemons

    def start(self, words=(), options=(), environment=None):
        self.started += 1
        daemon = Daemon(self.bench.command, {**self.environment, **(environment or {})}, self.folder, words, options)
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

    # ---- jobs

    def add_jobs(self, seconds, tasks=False):
        """Their times are spread over so many seconds. `tasks`: in containers of their own, not in the application's master."""
        together = [] if tasks else ["-D", "mapreduce.job.ubertask.enable=true"]
        sleep = ["hadoop", "jar", self.hadoop.sleep_jar, "org.apache.hadoop.mapreduce.SleepJob", "{options}", *together]
        lines = []
        for number in range(1, JOBS + 1):
            maps, length = (2, 4_000) if tasks else (1, self.draw.randint(1_000, 2_000))
            at = int(1000 * seconds * (number - 1) / JOBS)
            job = {"id": f"J{number:02}", "submit_ms": at, "deadline_ms": 10 * HOUR,
                   "command": [*sleep, "-m", str(maps), "-r", "0", "-mt", str(length), "-rt", "1"]}
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

    def all_ended(self):
        jobs = self.jobs()
        return len(jobs) == JOBS and all(each["state"] in ("done", "failed", "cancelled", "unknown") for each in jobs)

    # ---- what must hold

    def finish(self, told=(), patience=1200, lost=(), clock=True):
        """`told`: events of the batch that the log must have, and how many at least. `lost`: ids of jobs that may be unknown, as
        the ResourceManager forgot them. `clock`: the daemon had the true time."""
        took = self.wait(self.all_ended, patience, "all jobs end")
        self.wait(lambda: self.leader() and self.hadoop.look(), 60, "daemon and ResourceManager answer")
        jobs = self.jobs()
        events = self.leader().events(self.token()) if self.leader() else []
        for each in jobs:
            self.check_job(each, events, lost, clock)
        own = {each for job in jobs for each in self.hadoop.with_tag(job["tag"])}
        submitted = self.hadoop.submitted() - self.submitted_before
        if submitted != len(own):
            self.complain(f"the ResourceManager took {submitted} applications, and {len(own)} have the tags of the jobs")
        batch = collections.Counter(each["what"] for each in events if not each["job"])
        for what, least in told:
            if batch[what] < least:
                self.complain(f"the log tells {batch[what]} times '{what}', not {least}")
        for each in self.daemons:
            if each.lives() and each.stop() != 0:
                self.complain("the daemon did not end with 0 after SIGTERM")
        (self.folder / "events.json").write_text(json.dumps(events, indent=1))
        result = {"fault": self.fault, "problems": self.problems, "jobs": len(jobs), "applications": submitted,
                  "states": collections.Counter(each["state"] for each in jobs), "daemons": self.started,
                  "again": sum(each["attempts"] > 1 for each in jobs), "events": batch, "all_events": len(events),
                  "seconds": round(time.time() - self.began), "told": took is not None}
        self.say(f"{'WRONG' if self.problems else 'good'}: {json.dumps({key: result[key] for key in ('states', 'applications', 'again', 'events', 'seconds')})}")
        return result

    def check_job(self, job, events, lost, clock):
        own, number = self.hadoop.with_tag(job["tag"]), int(job["id"][1:])
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
        if clock and told.count("Late") != late:
            self.complain(f"{job['id']}, {'late' if late else 'not late'}: the log tells {told}")
