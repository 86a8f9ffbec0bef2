"""The commit and the machine that a measurement belongs to."""
import os
import platform

from measured.process import run


def processor():
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def machine(root):
    commit = run("git", "rev-parse", "--short", "HEAD", cwd=root).strip()
    return f"at commit {commit} on {processor()}, {os.cpu_count()} cores"
