"""The command under test, asked for JSON."""
import json
import os
import subprocess
import sys


class Wavewright:
    """`script` names the caller in messages; it ends where the command is not there or fails."""

    def __init__(self, script, path):
        self.script, self.path = script, path
        if not os.access(path, os.X_OK):
            sys.exit(f"{script}: no {path}; build it with make, or name it with --command")

    def json(self, *words, store=None):
        """The document that these words print."""
        where = ["--store", f"sqlite:{store}"] if store else []
        done = subprocess.run([self.path, *where, *words, "--json"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{self.script}: wavewright {' '.join(map(str, words))}: {done.stderr.strip()}")
        return json.loads(done.stdout)
