"""The commit and the machine that a measurement belongs to."""
import os
import platform
import subprocess

from measured.process import run

CHANGED = " with changes"  # stands behind the commit where the work tree differs from it


def processor():
    with open("/proc/cpuinfo") as lines:
        names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def is_changed(root):
    """As `wavewright --version` takes it: an edited file, or a new one among the sources. Pages and results of measurements do not count:
    a tool writes one while it measures the next."""
    edited = run("git", "--no-optional-locks", "status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)docs/measured", cwd=root)
    added = run("git", "ls-files", "--others", "--exclude-standard", "--", "apps", "cmake", "wavewright", cwd=root)
    return bool(edited or added)


def commit_of(root):
    try:
        commit = "at commit " + run("git", "rev-parse", "--short", "HEAD", cwd=root).strip()
        return commit + (CHANGED if is_changed(root) else "")
    except (OSError, subprocess.CalledProcessError):  # sources without their repository
        return "at an unknown commit"


def machine(root):
    return f"{commit_of(root)} on {processor()}, {os.cpu_count()} cores"
