"""A real YARN of one node, for the tests of programs that start several applications for one job: Hive and Pig."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

# Hive 4.0 and Pig 0.17 are made for Java 8.
OPENS = [f"--add-opens=java.base/java.{each}=ALL-UNNAMED" for each in (
    "lang", "lang.reflect", "util", "util.concurrent", "util.concurrent.atomic", "util.regex", "nio", "net", "io", "math", "text", "time")]
FILES = ("the cat", "the dog", "a cat", "the dog")  # of the words that are counted: a map each
COUNTED = [("the", "3"), ("cat", "2"), ("dog", "2"), ("a", "1")]


class QueryYarn:
    """`program` is `hive` or `pig`; its file in testbed/jars says which version. Sets the environment of the whole test."""

    def __init__(self, program, port, command, root):
        self.command, self.root, self.program = os.path.abspath(command), pathlib.Path(root).resolve(), program
        kept = os.environ.get("WAVEWRIGHT_TESTBED_DIR") or os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")) + "/wavewright/testbed"
        self.kept = pathlib.Path(kept)
        # Below 32768: from there on the kernel gives ports to others.
        self.base = int(os.environ.get(f"WAVEWRIGHT_LIVE_{program.upper()}_PORT", port))
        self.pom = self.root / "testbed" / "jars" / f"{program}.xml"
        version = re.search(f"<{program}>(.*)</{program}>", self.pom.read_text()).group(1)
        self.home = self.kept / f"{program}-{version}"
        self.work = work = pathlib.Path(tempfile.mkdtemp(prefix=f"wavewright-{program}."))
        os.umask(0o022)
        (self.kept / "jars").mkdir(parents=True, exist_ok=True)
        (work / "testbed").mkdir()
        (work / "testbed" / "jars").symlink_to(self.kept / "jars")
        for each_folder in ("bin", "conf", "tmp"):
            (work / each_folder).mkdir()
        for key in [each for each in os.environ if each.startswith("WAVEWRIGHT_")]:
            del os.environ[key]
        self.manager, self.history = f"127.0.0.1:{self.base + 6}", f"127.0.0.1:{self.base + 8}"
        os.environ.update(WAVEWRIGHT_TESTBED_DIR=str(work / "testbed"), XDG_STATE_HOME=str(work / "state"),
                          XDG_CONFIG_HOME=str(work / "settings"), WAVEWRIGHT_SYSTEM_CONFIG="none.toml", WAVEWRIGHT_STORE=f"sqlite:{work}/store.db",
                          TZ="UTC", HADOOP_USER_NAME="wavewright", WAVEWRIGHT_RESOURCE_MANAGER=self.manager,
                          WAVEWRIGHT_HISTORY_SERVER=self.history, PATH=f"{work}/bin:{os.environ['PATH']}")
        self.hadoop = [str(self.root / "testbed" / "hadoop3"), "--name", f"live{program}"]
        self.cluster = work / "testbed" / f"hadoop3-live{program}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([*self.hadoop, "down"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.work, ignore_errors=True)

    def get_program(self):
        """The first run downloads its jars, to the folder of the testbed."""
        if self.home.is_dir():
            return
        with tempfile.TemporaryDirectory(dir=self.kept, prefix=f"{self.program}.") as folder:
            jars = pathlib.Path(folder) / "jars"
            subprocess.run(["mvn", "-q", "-B", "-f", self.pom, "dependency:copy-dependencies", f"-DoutputDirectory={jars}",
                            "-DincludeScope=runtime"], check=True, stdout=sys.stderr)
            jars.rename(self.home)

    def jvm(self, memory, classpath, *options):
        return ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *OPENS, f"-Xmx{memory}m", f"-Djava.io.tmpdir={self.work}/tmp",
                f"-Duser.home={self.work}", f"-Djdk.net.hosts.file={self.cluster}/conf/hosts", *options, "-cp", ":".join(classpath)]

    def make_program(self, name, text):
        path = self.work / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def up(self, *settings):
        """With the queues `default` and `prod`, and the words in /data/words."""
        settings = ("yarn.cluster.max-application-priority=9", "yarn.scheduler.capacity.root.queues=default,prod",
                    "yarn.scheduler.capacity.root.default.capacity=20", "yarn.scheduler.capacity.root.prod.capacity=80", *settings)
        subprocess.run([*self.hadoop, "up", "--nodes", "1", "--memory-mb", "6144", "--pace", "quick", "--port-base", str(self.base),
                        *(word for each in settings for word in ("-D", each))], check=True, stdout=subprocess.DEVNULL)
        (self.work / "words").mkdir()
        for i, words in enumerate(FILES):
            (self.work / "words" / f"{i}.txt").write_text("".join(word + "\n" for word in words.split()))
        subprocess.run([*self.hadoop, "fs", "-mkdir", "-p", "/data"], check=True)
        subprocess.run([*self.hadoop, "fs", "-put", self.work / "words", "/data/words"], check=True)

    def run(self, name, jobs, plan):
        """Runs the jobs by the plan, one after another. Returns what `run` says of each, by its id."""
        (self.work / f"{name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in jobs))
        (self.work / f"{name}.plan.json").write_text(json.dumps(plan))
        done = subprocess.run([self.command, "run", f"{name}.jsonl", "--plan", f"{name}.plan.json", "--priorities", "--at-once", "1", "--run", name,
                               "--json"], cwd=self.work, text=True, capture_output=True, check=False)
        assert done.returncode == 0, (done, self.logs())
        return {each["id"]: each for each in json.loads(done.stdout)["jobs"]}

    def check(self, jobs, names, applications, capped):
        """Each job had so many applications, one after another, with its tag, queue, priority and limits, and its result is right. Returns how
        many maps and reduces of the first application ran at once, and the priorities, by job."""
        found = {each["id"]: each for each in self.applications()}
        at_once, priorities = {}, {}
        for name in names:
            job = jobs[name]
            own = [found[each] for each in job["applications"]]
            assert job["state"] == "done" and job["attempts"] == 1 and len(own) == applications, (job, found)
            assert all(first["finishedTime"] <= second["startedTime"] for first, second in zip(own, own[1:])), own
            # The command ends after its last application.
            assert job["ended_ms"] >= own[-1]["finishedTime"], (job, own)
            for each in own:
                assert each["finalStatus"] == "SUCCEEDED" and each["applicationType"] == "MAPREDUCE", each
                assert job["tag"] in each["applicationTags"].split(",") and each["queue"].split(".")[-1] == "prod", (job, each)
            at_once[name] = [self.most_at_once(own[0]["id"], kind) for kind in ("MAP", "REDUCE")]
            priorities[name] = {each["priority"] for each in own}
            assert [self.limits_of(each["id"]) for each in own] == [capped.get(name, (0, 0))] * applications, name
            assert self.counted(name) == COUNTED, self.counted(name)
        return at_once, priorities

    def applications(self):
        return (get(f"{self.manager}/ws/v1/cluster/apps")["apps"] or {"app": []})["app"]

    def in_history(self, application, *path):
        """What the history server tells of a job, once it has it."""
        for _ in range(120):
            try:
                job = application.replace("application_", "job_")
                return get("/".join((self.history, "ws/v1/history/mapreduce/jobs", job, *path)))
            except urllib.error.HTTPError:
                time.sleep(0.5)
        raise AssertionError(f"the history server does not have {application}")

    def limits_of(self, application):
        told = {each["name"]: each["value"] for each in self.in_history(application, "conf")["conf"]["property"]}
        return tuple(int(told.get(f"mapreduce.job.running.{kind}.limit", "0")) for kind in ("map", "reduce"))

    def most_at_once(self, application, kind):
        tasks = [each["id"] for each in self.in_history(application, "tasks")["tasks"]["task"] if each["type"] == kind]
        attempts = [each for task in tasks
                    for each in self.in_history(application, "tasks", task, "attempts")["taskAttempts"]["taskAttempt"]]
        return max(sum(each["startTime"] <= at < each["finishTime"] for each in attempts) for at in [each["startTime"] for each in attempts])

    def counted(self, name):
        lines = subprocess.run([*self.hadoop, "fs", "-cat", f"/out/{name}/*"], check=True, capture_output=True, text=True).stdout.splitlines()
        return [tuple(line.split()) for line in lines]

    def logs(self):
        """What the commands said, for whoever looks for what went wrong."""
        return "\n".join(path.read_text(errors="replace")[-6000:] for path in self.work.rglob("*.log"))


def get(address):
    with urllib.request.urlopen(f"http://{address}", timeout=10) as answer:
        return json.load(answer)
