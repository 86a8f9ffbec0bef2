#!/usr/bin/env python3
"""A ResourceManager of the benchmarks' own, with many jobs that run.
  bench/busy_yarn.py FOLDER
Makes FOLDER/hadoop: a client whose application runs at once, and which lives as long as that does. Lists of applications and the progress
of each are what a real ResourceManager and application master answered (data/formats/rest/running.json), with other ids and tags. Of one
application it tells what the list has, and that the scheduler notes its activities from now on, as Hadoop 3.4 first answers. While
FOLDER/churn holds a number, each second the application that has run longest ends, if so many run. Prints the port, and serves until its
standard input ends; then all clients end."""
import http.server
import json
import os
import pathlib
import sys
import threading
import time

root = pathlib.Path(__file__).resolve().parent.parent
NODES = 100
PROGRAM = """#!/bin/sh
for word; do
  case $word in *mapreduce.job.tags=*) tags=${word#*mapreduce.job.tags=} ;; esac
done
mkfifo "$0.d/${tags##*,}" || exit 1
echo "$tags" >>"$0.list"
exec cat "$0.d/${tags##*,}"
"""


def now():
    return int(1000 * time.time())


class Recorded:
    """Answers of a cluster on which one application ran."""

    def __init__(self):
        answers = json.loads((root / "data/formats/rest/running.json").read_text())
        self.info = answers["/ws/v1/cluster/info"]
        self.application = next(each for path, each in answers.items() if path.startswith("/ws/v1/cluster/apps?"))["apps"]["app"][0]
        self.number = self.application["id"].removeprefix("application_")
        self.texts = {path: json.dumps(answer) for path, answer in answers.items()}

    def shown(self, number, **more):
        return json.dumps({**self.application, **more}).replace(self.number, number)

    def of_master(self, path):
        """What the application's master says; None if it was not recorded."""
        number = path.split("/")[2].removeprefix("application_")
        text = self.texts.get(path.replace(number, self.number))
        return None if text is None else text.replace(self.number, number)


class Application:
    def __init__(self, recorded, count, tags, fifo):
        self.recorded, self.fifo, self.ended = recorded, fifo, False
        self.number = f"{recorded.number.split('_')[0]}_{count + 1000:04}"  # none has the recorded one's
        self.began = {"applicationTags": tags, "startedTime": now(), "launchTime": now() + 1}
        self.text = recorded.shown(self.number, **self.began)

    def end(self):
        at = now()
        self.ended = True
        self.text = self.recorded.shown(self.number, **self.began, state="FINISHED", finalStatus="SUCCEEDED", progress=100.0, finishedTime=at,
                                        elapsedTime=at - self.began["startedTime"], runningContainers=0)

    def let_client_end(self):
        """False: it does not wait yet."""
        try:
            os.close(os.open(self.fifo, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True


class BusyYarn:
    def __init__(self, folder):
        self.folder, self.recorded, self.lock = folder, Recorded(), threading.Lock()
        self.applications, self.read, self.to_end, self.first = [], 0, [], 0
        (folder / "hadoop.d").mkdir()
        (folder / "hadoop.list").touch()
        (folder / "hadoop").write_text(PROGRAM)
        (folder / "hadoop").chmod(0o755)

    def take_new(self):
        """The applications of clients that have called since."""
        with open(self.folder / "hadoop.list", "rb") as file:
            file.seek(self.read)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self.read += len(whole)
        for tags in whole.decode().split():
            self.applications.append(Application(self.recorded, len(self.applications), tags, self.folder / "hadoop.d" / tags.split(",")[-1]))

    def running(self):
        return len(self.applications) - self.first

    def end_first(self):
        """The one that has run longest; all before it have ended."""
        application = self.applications[self.first]
        application.end()
        self.to_end.append(application)
        self.first += 1

    def let_clients_end(self):
        self.to_end = [each for each in self.to_end if not each.let_client_end()]

    def churn(self):
        """Once a second."""
        with self.lock:
            self.take_new()
            try:
                most = int((self.folder / "churn").read_text())
            except (OSError, ValueError):  # there is none, or it is being written
                most = None
            if most is not None and self.running() >= most:
                self.end_first()
            self.let_clients_end()

    def end_all(self):
        for _ in range(200):
            with self.lock:
                self.take_new()
                while self.running():
                    self.end_first()
                self.let_clients_end()
                if not self.to_end:
                    return
            time.sleep(0.1)

    def answer(self, path):
        """A JSON text; None where there is nothing."""
        if path.startswith("/proxy/"):
            return self.recorded.of_master(path)
        one, _, of = path.rpartition("/")
        if one == "/ws/v1/cluster/scheduler/app-activities":
            return json.dumps({"appActivities": {"applicationId": of, "diagnostic": "waiting for display", "timestamp": now()}})
        with self.lock:
            self.take_new()
            if one == "/ws/v1/cluster/apps":
                return next(('{"app":' + each.text + "}" for each in self.applications if of == f"application_{each.number}"), None)
            if path == "/ws/v1/cluster/apps":
                return '{"apps":{"app":[' + ",".join(each.text for each in self.applications) + "]}}" if self.applications else '{"apps":null}'
            ended, running = self.first, self.running()
        answers = {
            "/ws/v1/cluster/info": self.recorded.info,
            "/ws/v1/cluster/metrics": {"clusterMetrics": {
                "appsSubmitted": ended + running, "appsCompleted": ended, "appsPending": 0, "appsRunning": running, "appsFailed": 0, "appsKilled": 0,
                "containersAllocated": 3 * running, "totalNodes": NODES, "activeNodes": NODES, "lostNodes": 0, "unhealthyNodes": 0,
                "decommissioningNodes": 0, "decommissionedNodes": 0, "rebootedNodes": 0, "shutdownNodes": 0,
                "availableMB": 32768 * NODES}},
            "/ws/v1/cluster/appstatistics": {"appStatInfo": {"statItem": [
                {"state": state, "type": "*", "count": count} for state, count in
                {"NEW": 0, "NEW_SAVING": 0, "SUBMITTED": 0, "ACCEPTED": 0, "RUNNING": running, "FINISHED": ended, "FAILED": 0, "KILLED": 0}.items()]}},
            "/ws/v1/cluster/nodes": {"nodes": {"node": [
                {"rack": f"/rack{i % 5}", "state": "RUNNING", "id": f"node{i:03}:45454", "nodeHostName": f"node{i:03}",
                 "nodeHTTPAddress": f"node{i:03}:8042", "version": "3.4.2", "numContainers": 15, "usedMemoryMB": 32768, "availMemoryMB": 32768,
                 "usedVirtualCores": 15, "availableVirtualCores": 17} for i in range(NODES)]}},
            "/ws/v1/cluster/scheduler": {"scheduler": {"schedulerInfo": {
                "type": "capacityScheduler", "queueName": "root", "capacity": 100.0, "maxCapacity": 100.0, "queues": {"queue": [
                    {"queueName": "default", "capacity": 100.0, "maxCapacity": 100.0, "userLimit": 100, "userLimitFactor": 1.0,
                     "state": "RUNNING"}]}}}},
            "/conf": {"properties": []}}
        return json.dumps(answers[path]) if path in answers else None


def serve(yarn):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self):
            text = yarn.answer(self.path.split("?")[0])
            body = (text or '{"RemoteException":{"exception":"NotFoundException"}}').encode()
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # who asked has gone
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def main():
    yarn = BusyYarn(pathlib.Path(sys.argv[1]))
    print(serve(yarn), flush=True)
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    while not ended.wait(1):
        yarn.churn()
    yarn.end_all()


if __name__ == "__main__":
    main()
