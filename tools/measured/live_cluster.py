"""A testbed cluster with the plug-in, and the command beside it: what scripts that measure live runs share."""
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time
import urllib.request

root = pathlib.Path(__file__).resolve().parents[2]
ORDERING = "yarn.scheduler.capacity.root.default.ordering-policy"


class LiveCluster:
    """`name`: of the testbed's cluster. `folder`: the command's state, its store, the key and the targets are there."""

    def __init__(self, name, command, folder, port_base):
        self.name, self.command, self.folder, self.port_base = name, command.resolve(), folder.resolve(), port_base
        self.hadoop = [str(root / "testbed" / "hadoop3"), "--name", name]
        self.manager, self.history, self.names = (f"127.0.0.1:{port_base + offset}" for offset in (6, 8, 1))
        self.jars = pathlib.Path(os.environ.get("WAVEWRIGHT_TESTBED_DIR") or
                                 os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")) + "/wavewright/testbed") / "jars"
        self.targets = ["--targets", str(self.folder / "targets"), "--targets-key", str(self.folder / "key")]
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state"), "XDG_CONFIG_HOME": str(self.folder / "settings"),
                            "WAVEWRIGHT_SYSTEM_CONFIG": str(self.folder / "none.toml"), "WAVEWRIGHT_STORE": f"sqlite:{self.folder}/runs.db",
                            "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "TZ": "UTC"}
        self.began = time.monotonic()
        os.umask(0o022)
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        wrapper = self.folder / "bin" / "hadoop"
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(self.hadoop)} "$@"\n')
        wrapper.chmod(0o755)
        if not (self.folder / "key").is_file():
            (self.folder / "key").write_text(os.urandom(24).hex())
            (self.folder / "key").chmod(0o600)

    def say(self, text):
        print(f"{datetime.datetime.now():%H:%M:%S} {time.monotonic() - self.began:5.0f} s  {text}", flush=True)

    def jar(self, pattern):
        return next(path for path in self.jars.rglob(pattern) if "tests" not in path.name)

    def up(self, nodes, memory_mb, settings=(), flags=()):
        """With the plug-in's two classes, whose targets are in the folder."""
        plugin = self.command.parent / "plugins/yarn/wavewright-yarn.jar"
        if not plugin.is_file():
            self.say("building the plug-in")
            subprocess.run(["mvn", "-q", "-B", "-f", str(root / "plugins/yarn/pom.xml"), f"-DbuildDirectory={plugin.parent}", "-DskipTests",
                            "package"], check=True, stdout=subprocess.DEVNULL)
        self.say(f"starting {nodes} nodes")
        settings = [f"{ORDERING}=wavewright.yarn.TargetOrderingPolicy", f"{ORDERING}.targets=file://{self.folder}/targets",
                    f"{ORDERING}.key-file={self.folder}/key",
                    "yarn.scheduler.app-placement-allocator.class=wavewright.yarn.TargetPlacementAllocator", *settings]
        subprocess.run([*self.hadoop, "up", "--nodes", str(nodes), "--memory-mb", str(memory_mb), "--port-base", str(self.port_base), "--jar",
                        str(plugin), *flags, *(word for each in settings for word in ("-D", each))], stdout=subprocess.DEVNULL, check=True)

    def down(self):
        subprocess.run([*self.hadoop, "down"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    def get(self, address, path):
        with urllib.request.urlopen(f"http://{address}{path}", timeout=30) as answer:
            return json.load(answer)

    def wavewright(self, *words, codes=(0,), text=None):
        """What it prints with --json; it ends with one of the codes."""
        done = subprocess.run([str(self.command), *words, "--json"], cwd=self.folder, env=self.environment, input=text, capture_output=True,
                              text=True, check=False)
        if done.returncode not in codes:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: wavewright {shlex.join(words)} ended with {done.returncode}:\n"
                     f"{done.stdout[-2000:]}{done.stderr[-3000:]}")
        return json.loads(done.stdout)

    def wait_until_idle(self):
        """A master's container outlives its job by a moment."""
        for _ in range(120):
            if self.get(self.manager, "/ws/v1/cluster/metrics")["clusterMetrics"]["appsRunning"] == 0:
                return
            time.sleep(1)
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: applications still run two minutes after their batch has ended")
