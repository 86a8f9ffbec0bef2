"""A real Hadoop (testbed/hadoop3) whose daemons are killed and started again one by one, and what its ResourceManagers saw."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

SETTINGS = {
    "yarn.resourcemanager.connect.retry-interval.ms": "1000",
    "yarn.nm.liveness-monitor.expiry-interval-ms": "20000",
    "yarn.am.liveness-monitor.expiry-interval-ms": "90000",
    "yarn.resourcemanager.rm.container-allocation.expiry-interval-ms": "60000",
    "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms": "1000",
    "yarn.resourcemanager.am.max-attempts": "3",
    "mapreduce.am.max-attempts": "3",
}


def children_hold(folder):
    """Processes whose command names the folder."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"{folder}/" in entry.read_bytes().decode(errors="replace").replace("\0", " "):
                found.append(int(entry.parent.name))
        except OSError:
            pass
    return found


class Hadoop:
    """`recovers`: its ResourceManager keeps its applications over a restart."""

    def __init__(self, root, out, name, port_base, recovers):
        self.words, self.base, self.out = [str(root / "testbed/hadoop3"), "--name", name], port_base, out
        self.address, self.history = f"127.0.0.1:{port_base + 6}", f"127.0.0.1:{port_base + 8}"
        self.settings, self.recovers = dict(SETTINGS), recovers
        if recovers:
            self.settings |= {"yarn.resourcemanager.recovery.enabled": "true",
                              "yarn.resourcemanager.store.class": "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore",
                              "yarn.resourcemanager.fs.state-store.uri": f"file://{out}/recovery"}
        self.seen, self.ended, self.version = {}, True, ""

    def up(self):
        self.out.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.out / "recovery", ignore_errors=True)
        options = [word for key, value in self.settings.items() for word in ("-D", f"{key}={value}")]
        for _ in range(3):  # a machine that is busy may take too long
            told = subprocess.run([*self.words, "up", "--nodes", "2", "--memory-mb", "3072", "--port-base", str(self.base), *options],
                                  capture_output=True, text=True, check=False)
            if told.returncode == 0:
                break
            self.down()
        if told.returncode != 0:
            raise SystemExit(f"live-faults: no Hadoop: {told.stderr.strip()}")
        self.home = pathlib.Path(re.search(r"configuration\s+(\S+)/conf", told.stdout).group(1))
        jars = self.home.parent / "jars/hadoop3"
        self.sleep_jar = str(next(each for each in jars.glob("hadoop-mapreduce-client-jobclient-3*.jar") if "tests" not in each.name))
        self.write_programs()
        self.version = self.ask("/ws/v1/cluster/info")["clusterInfo"]["hadoopVersion"]
        self.ended = False
        threading.Thread(target=self.watch, daemon=True).start()

    def down(self):
        self.ended = True
        subprocess.run([*self.words, "down"], capture_output=True, check=False)

    def write_programs(self):
        """`hadoop` and `yarn` as the jobs call them. They have the true time, whatever the daemon has."""
        folder = self.out / "bin"
        folder.mkdir(exist_ok=True)
        front = "#!/bin/sh\nunset LD_PRELOAD\n"
        words = " ".join(self.words)
        (folder / "hadoop").write_text(f'{front}exec {words} "$@"\n')
        (folder / "yarn").write_text(f'{front}[ "$1 $2" = "application -kill" ] || exit 2\nexec {words} kill "job_${{3#application_}}"\n')
        for each in folder.iterdir():
            each.chmod(0o755)
        self.programs = folder

    # ---- what its ResourceManagers saw

    def ask(self, path):
        with urllib.request.urlopen(f"http://{self.address}{path}", timeout=5) as answer:
            return json.load(answer)

    def watch(self):
        while not self.ended:
            self.look()
            time.sleep(0.3)

    def look(self):
        try:
            listed = (self.ask("/ws/v1/cluster/apps")["apps"] or {}).get("app", [])
        except (OSError, ValueError, KeyError):
            return False
        for each in listed:
            for tag in each["applicationTags"].split(","):
                self.seen.setdefault(tag, {})[each["id"]] = each
        return True

    def with_tag(self, tag):
        return self.seen.get(tag, {})

    def final_status(self, application):
        """As last listed. One that ended after the last list before its ResourceManager died is in the history alone."""
        if application["finalStatus"] != "UNDEFINED":
            return application["finalStatus"]
        path = f"/ws/v1/history/mapreduce/jobs/{application['id'].replace('application', 'job')}"
        try:
            with urllib.request.urlopen(f"http://{self.history}{path}", timeout=5) as answer:
                return json.load(answer)["job"]["state"]
        except (OSError, ValueError, KeyError):
            return "UNDEFINED"

    def submitted(self):
        """Applications that its ResourceManagers took, by their audit logs."""
        log = (self.home / "log/resourcemanager.log").read_text(errors="replace")
        return len(set(re.findall(r"OPERATION=Submit Application Request.*?APPID=(application_\d+_\d+)", log)))

    # ---- its daemons, one by one

    def pid(self, label):
        return int((self.home / "pid" / label).read_text().split()[0])

    def kill(self, label):
        """Kills it, and returns what starts it again."""
        pid = self.pid(label)
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
        environment = dict(each.split("=", 1) for each in pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0") if "=" in each)
        os.kill(pid, signal.SIGKILL)
        while pathlib.Path(f"/proc/{pid}/stat").exists() and " Z " not in pathlib.Path(f"/proc/{pid}/stat").read_text():
            time.sleep(0.05)

        def again():
            apart = ["unshare", "-u", "sh", "-c", 'hostname testbed; exec "$@"', "sh"] if os.getuid() == 0 else []
            with open(self.home / f"log/{label}.log", "ab") as log:
                process = subprocess.Popen([*apart, *words], cwd=self.home, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           start_new_session=True)
            time.sleep(0.3)  # until it is itself, and not what starts it
            born = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
            (self.home / "pid" / label).write_text(f"{process.pid} {born}\n")
            return process

        return again

    def kill_containers_of(self, number):
        """What runs on a node, as if the machine were gone."""
        killed = 0
        for pid in children_hold(self.home / f"work/127.0.0.{number + 1}/local"):
            if pid != self.pid(f"nodemanager{number}"):
                try:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
        return killed

    def nodes(self):
        """As YARN lists them; none if it does not answer."""
        try:
            return (self.ask("/ws/v1/cluster/nodes")["nodes"] or {}).get("node", [])
        except (OSError, ValueError, KeyError):
            return []

    def containers_on(self, number):
        return sum(each["numContainers"] for each in self.nodes() if each["nodeHostName"] == f"127.0.0.{number + 1}")

    def running_nodes(self):
        return sum(each["state"] == "RUNNING" for each in self.nodes())
