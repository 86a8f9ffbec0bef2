"""The disks of the commands' folder, of the targets and of the store are full, one after another, and then have room again."""
import pathlib
import shutil
import subprocess
import time

from faults.run import Run


class SmallDisk:
    """A file system of its own in memory."""

    def __init__(self, folder, megabytes):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "wavewright-faults", self.folder], check=True)

    def fill(self):
        """Several times: a file that was being replaced leaves room for the next one."""
        for _ in range(3):
            with open(self.folder / "filler", "ab", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            time.sleep(1)

    def make_room(self):
        (self.folder / "filler").unlink()

    def remove(self):
        subprocess.run(["umount", "-l", self.folder], check=False)


def run(bench):
    place = bench.out / "disks"
    shutil.rmtree(place, ignore_errors=True)
    disks = {name: SmallDisk(place / name, size) for name, size in (("state", 4), ("targets", 1), ("store", 8))}
    try:
        own = Run(bench, "disk-full", f"sqlite:{place}/store/store.db", place / "state")
        own.promise(targets=place / "targets/targets.json")
        own.start()
        own.wait_for_leader()
        own.add_promised()
        own.add_jobs(seconds=150)

        def told_of_targets():
            told = [(each["what"], each["detail"]) for each in own.leader().events(own.token()) if each["what"] in ("Away", "Back")]
            away = [at for at, (what, detail) in enumerate(told) if what == "Away" and "targets.json" in detail]
            return away and any(what == "Back" for what, _ in told[away[0]:])

        for name, disk in disks.items():
            time.sleep(15)
            before = len(own.daemons[0].lines)
            disk.fill()
            own.say(f"the disk of the {name} is full; {dict(own.states())}")

            def said(before=before):
                return [line for line in own.daemons[0].lines[before:] if "waiting" in line]

            own.wait(said, 180, f"the daemon tells of the full disk of the {name}")  # of the commands' once it starts one
            time.sleep(30)
            lines = said()
            if len(lines) > 3 or not any("disk" in line or "space" in line for line in lines):
                own.complain(f"of the full disk of the {name} the daemon says: {lines}")
            own.say(f"the daemon says: {lines[:1]}")
            disk.make_room()
            if name == "targets":
                own.wait(told_of_targets, 60, "the log tells that the targets were away, and are back")
        result = own.finish(told=[("Away", 3), ("Back", 3)])
        result["what"] = "the disks of commands, of targets and of the store full for half a minute and more each, one after another"
        return result
    finally:
        for disk in disks.values():
            disk.remove()
