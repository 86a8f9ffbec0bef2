"""A `hadoop` program of the tests' own: HDFS is a folder, a streaming job runs its tasks one after another in folders of their own
with nothing but what was shipped, and is told to a SmallYarn. Faults of tasks and of the client are switched on by files in a folder:

  deny          `fs -mkdir` has no permission        exists     the job's output folder exists
  crash-LINE    the first attempt at a task whose input has LINE in it dies in the middle
  hopeless      all attempts of such a task die (LINE is the file's text)
  half          the job is killed after half of its tasks
  hold-rm       `fs -rm` waits until it is gone
  slow          seconds that each task takes longer
  log           what was called, a line each (written)"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

PROGRAM = """#!/bin/sh
exec {python} {this} {folder} {yarn} "$@"
"""


def install(folder, yarn):
    """Writes the program `hadoop` and a jar into the folder, for a SmallYarn at that address."""
    folder = pathlib.Path(folder)
    (folder / "hdfs").mkdir(parents=True)
    (folder / "hadoop").write_text(PROGRAM.format(python=sys.executable, this=pathlib.Path(__file__).resolve(), folder=folder, yarn=yarn))
    (folder / "hadoop").chmod(0o755)
    (folder / "hadoop-streaming-3.4.1.jar").write_text("")


def say(text, status=1):
    print(text, file=sys.stderr)
    sys.exit(status)


class Client:
    def __init__(self, folder, yarn):
        self.folder, self.yarn = pathlib.Path(folder), yarn

    def fault(self, name):
        path = self.folder / name
        return path.read_text().strip() if path.exists() else None

    def path(self, name):
        return self.folder / "hdfs" / name.lstrip("/")

    def fs(self, verb, *words):
        if verb == "-mkdir":
            if self.fault("deny") is not None:
                say('mkdir: Permission denied: user=etl, access=WRITE, inode="/user":hdfs:supergroup:drwxr-xr-x')
            self.path(words[-1]).mkdir(parents=True, exist_ok=True)
        elif verb == "-put":
            shutil.copy(words[-2], self.path(words[-1]))
        elif verb == "-rm":
            while self.fault("hold-rm") is not None:
                time.sleep(0.05)
            shutil.rmtree(self.path(words[-1]), ignore_errors=True)
        elif verb == "-cat":
            parts = sorted(self.path(words[0]).parent.glob("part-*"))
            if not parts:
                say(f"cat: `{words[0]}': No such file or directory")
            for part in parts:
                sys.stdout.buffer.write(part.read_bytes())
        else:
            say(f"unknown {verb}", 2)

    def jar(self, _, *words):
        settings, options = {}, {}
        words = list(words)
        while words:
            name, value = words.pop(0), words.pop(0)
            if name == "-D":
                settings.update([value.split("=", 1)])
            else:
                options[name] = value
        if self.fault("exists") is not None:
            say(f"ERROR streaming.StreamJob: Error Launching job : Output directory {options['-output']} already exists")
        tags = settings["mapreduce.job.tags"]
        urllib.request.urlopen(f"http://{self.yarn}/{tags}/0.1", data=b"").read()
        lines = self.path(options["-input"]).read_text().splitlines(keepends=True)
        size = int(settings["mapreduce.input.lineinputformat.linespermap"])
        tasks = [lines[at:at + size] for at in range(0, len(lines), size)]
        output = self.path(options["-output"])
        output.mkdir(parents=True)
        failed = 0
        for number, task in enumerate(tasks):
            if self.fault("half") is not None and number >= len(tasks) // 2:
                (self.folder / "half").unlink()
                say("INFO mapreduce.Job: Job job_1_1 failed with state KILLED due to: as asked\nStreaming Command Failed!")
            failed += not self.task(number, "".join(task), options, output)
        if 100 * failed > int(settings["mapreduce.map.failures.maxpercent"]) * len(tasks):
            say("INFO mapreduce.Job: Job job_1_1 failed with state FAILED due to: Task failed\nStreaming Command Failed!")

    def unpacked(self, archive):
        """Once for all tasks, as a node does it."""
        archive = pathlib.Path(archive).resolve()
        folder = self.folder / "cache" / f"{archive.name}-{archive.stat().st_mtime_ns}"
        if not folder.exists():
            half = folder.with_name(f"{folder.name}.{os.getpid()}")
            half.mkdir(parents=True)
            subprocess.run(["tar", "-xzf", archive, "-C", half], check=True)
            half.rename(folder)
        return folder

    def task(self, number, text, options, output):
        """False: no attempt was good."""
        time.sleep(float(self.fault("slow") or 0))
        for attempt in range(4):
            with tempfile.TemporaryDirectory() as folder:
                for archive in options["-archives"].split(","):
                    path, name = archive.split("#")
                    (pathlib.Path(folder) / name).symlink_to(self.unpacked(path))
                environment = {"mapreduce_task_attempt_id": f"attempt_1_1_m_{number:06}_{attempt}", "PATH": "/nowhere"}
                done = subprocess.run(options["-mapper"].split(), cwd=folder, input=text, capture_output=True, text=True, env=environment)
                crash = [each for each in self.folder.glob("crash-*") if f'"{each.name[6:]}"' in text]
                hopeless = self.fault("hopeless")
                dies = crash or (hopeless and f'"{hopeless}"' in text)
                if crash:
                    crash[0].unlink()
                if done.returncode == 0 and not dies:
                    part = output / f"part-{len(list(output.iterdir())):05}"
                    part.write_text(done.stdout)
                    return True
                code = 139 if dies else done.returncode
                print(f"INFO mapreduce.Job: Task Id : attempt_{number}_{attempt}, Status : FAILED\n"
                      f"Error: java.lang.RuntimeException: PipeMapRed.waitOutputThreads(): subprocess failed with code {code}\n{done.stderr}",
                      file=sys.stderr)
        return False


if __name__ == "__main__":
    client = Client(sys.argv[1], sys.argv[2])
    with open(client.folder / "log", "a", encoding="utf-8") as log:
        log.write(" ".join(sys.argv[3:]) + "\n")
    {"fs": client.fs, "jar": client.jar}[sys.argv[3]](*sys.argv[4:])
