"""A page of measurements: sections, each stamped with the commit and the processor it was measured on."""
import os, platform, re, subprocess


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def machine(root):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, check=True, capture_output=True, text=True).stdout.strip()
    return f"at commit {commit} on {processor()}, {os.cpu_count()} cores"


def by_heading(text):
    """The page's sections by their headings, in order; what stands before the first is under ''."""
    sections = {}
    for piece in re.split(r"(?m)^(?=## )", text):
        heading = piece.split("\n")[0] if piece.startswith("## ") else ""
        sections[heading] = piece.strip() + "\n"
    return sections


def replaced(page, measured, stamp):
    """The page with the sections that were measured now, each stamped; others stay as they were."""
    sections = by_heading(page)
    for heading, text in by_heading(measured).items():
        if heading:
            sections[heading] = text + "\n" + stamp + "\n"
    return "\n".join(sections.values())
