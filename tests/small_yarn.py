"""A ResourceManager of the tests' own: it takes applications from a client that is as simple, lists them as YARN does, and is
away when a test says so."""
import http.server
import json
import threading
import time

CLIENT = """
import sys, time, urllib.request
server, tags, length = sys.argv[1:]
time.sleep(0.5)
for _ in range(200):
    try:
        urllib.request.urlopen(f"http://{server}/{tags}/{length}", data=b"").read()
        break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit(1)
time.sleep(float(length))
"""


class SmallYarn:
    """`applications` as YARN's REST interface lists them; `away_until`: no answer before that instant."""

    def __init__(self):
        self.applications, self.away_until = [], 0.0
        yarn, lock = self, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, document):
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:  # who asked was killed
                    pass

            def do_GET(self):
                path = self.path.split("?")[0]
                now = time.time()
                if now < yarn.away_until:
                    return self.answer(503, {})
                if path == "/ws/v1/cluster/info":
                    return self.answer(200, {"clusterInfo": {"startedOn": 1, "rmStateStoreName": "ZKRMStateStore"}})
                with lock:
                    shown = [yarn.shown(each, now) for each in yarn.applications]
                if path == "/ws/v1/cluster/metrics":
                    ended = sum(each["state"] == "FINISHED" for each in shown)
                    return self.answer(200, {"clusterMetrics": {"appsCompleted": ended, "appsKilled": 0, "appsFailed": 0}})
                return self.answer(200, {"apps": {"app": shown}} if path == "/ws/v1/cluster/apps" else {"properties": []})

            def do_POST(self):  # a client submits: its tags and its length in seconds
                if time.time() < yarn.away_until:
                    return self.answer(503, {})
                tags, length = self.path.strip("/").split("/")
                with lock:
                    now = int(1000 * time.time())
                    number = f"application_1_{len(yarn.applications) + 1:04}"
                    yarn.applications.append({"id": number, "applicationTags": tags, "startedTime": now, "launchTime": now + 1,
                                              "finishedTime": now + int(1000 * float(length))})
                return self.answer(200, {"id": number})

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # who asked was killed
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"127.0.0.1:{self.server.server_port}"

    @staticmethod
    def shown(application, now):
        ended = application["finishedTime"] <= 1000 * now
        return {**application, "state": "FINISHED" if ended else "RUNNING", "finalStatus": "SUCCEEDED" if ended else "UNDEFINED",
                "finishedTime": application["finishedTime"] if ended else 0}

    def with_tag(self, tag):
        return [each["id"] for each in self.applications if tag in each["applicationTags"].split(",")]
