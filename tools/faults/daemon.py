"""`wavewright serve` as a process that is killed and started again."""
import json
import re
import signal
import subprocess
import threading
import time
import urllib.request


class Daemon:
    """`words` stand before the command: another host name, another clock. `options` behind it."""

    def __init__(self, command, environment, folder, words=(), options=()):
        self.url, self.lines, self.began = None, [], time.time()
        self.process = subprocess.Popen([*words, command, "serve", "--listen", "127.0.0.1:0", *options], cwd=folder, env=environment, text=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.log = open(folder / "daemon.log", "a", encoding="utf-8")
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip())
            print(self.process.pid, line.rstrip(), file=self.log, flush=True)
            if found := re.search(r"listening on (\S+)", line):
                self.url = found.group(1)
            if "has taken batch" in line:
                self.url = None

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join(5)
        self.url = None

    def stop(self):
        """A graceful end, as systemd asks for it."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def lives(self):
        return self.process.poll() is None

    def ask(self, path, token):
        request = urllib.request.Request(self.url + path, headers={"Authorization": "Bearer " + token})
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.load(answer)

    def events(self, token):
        found, behind = [], 0
        while page := self.ask(f"/v1/events?behind={behind}", token)["events"]:
            found += page
            behind = page[-1]["number"]
        return found
