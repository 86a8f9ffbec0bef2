"""Programs that are run and timed."""
import dataclasses
import os
import subprocess
import time


def run(*command, **more):
    """What it prints; CalledProcessError where it fails."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **more).stdout


@dataclasses.dataclass
class Usage:
    output: str
    seconds: float  # wall clock
    processor_seconds: float
    peak_kib: int


def timed(*command):
    """Output, time and memory of a whole process."""
    began = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with process.stdout as printed:
        output = printed.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status != 0:
        raise SystemExit(f"bench: {' '.join(map(str, command))} failed")
    return Usage(output, time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
