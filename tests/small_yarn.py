"""A ResourceManager of the tests' own: it takes applications from a client that is as simple, lists them as YARN does, and is
away when a test says so."""
import http.server
import json
import threading
import time
import urllib.parse
import xml.etree.ElementTree

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


CONF = "/ws/v1/cluster/scheduler-conf"
CAPACITY = "yarn.scheduler.capacity."


class SmallQueues:
    """The Capacity scheduler's configuration below root, with the checks and the words of Hadoop 3.4. `lose` says whether a
    change or its answer is lost: "", "request" or "answer"."""

    def __init__(self, **capacities):
        self.conf = {CAPACITY + "root.queues": ",".join(capacities)}
        self.conf.update({f"{CAPACITY}root.{name}.capacity": value for name, value in capacities.items()})
        self.changes, self.refusals, self.lose = [], [], lambda: ""

    def names(self, conf=None):
        return (conf or self.conf)[CAPACITY + "root.queues"].split(",")

    def takes(self, name):
        return name in self.names() and self.conf.get(f"{CAPACITY}root.{name}.state") != "STOPPED"

    def read(self):
        return 200, {"property": [{"name": name, "value": value} for name, value in self.conf.items()]}

    def change(self, body, busy):
        conf = dict(self.conf)
        refusal = self.applied(conf, xml.etree.ElementTree.fromstring(body), busy)
        (self.refusals if refusal else self.changes).append(refusal or body.decode())
        if refusal:
            return 400, refusal
        self.conf = conf
        return 200, "Configuration change successfully applied."

    def applied(self, conf, change, busy):
        for remove in change.iter("remove-queue"):
            name = remove.text.split(".")[-1]
            if name not in self.names(conf):
                return f"Queue {remove.text} not found"
            if conf.get(f"{CAPACITY}{remove.text}.state") != "STOPPED" or name in busy:
                return (f"Failed to re-init queues : {remove.text} cannot be deleted from the capacity scheduler configuration, as "
                        "the queue is not yet in stopped state. Current State : DRAINING")
            conf[CAPACITY + "root.queues"] = ",".join(each for each in self.names(conf) if each != name)
            for key in [key for key in conf if key.startswith(f"{CAPACITY}{remove.text}.")]:
                del conf[key]
        for add in change.iter("add-queue"):
            path = add.find("queue-name").text
            if path.split(".")[-1] in self.names(conf):
                return f"Can't add existing queue {path}"
            conf[CAPACITY + "root.queues"] += "," + path.split(".")[-1]
        for each in [*change.iter("add-queue"), *change.iter("update-queue")]:
            for entry in each.iter("entry"):
                conf[f"{CAPACITY}{each.find('queue-name').text}.{entry.find('key').text}"] = entry.find("value").text
        total = sum(float(conf[f"{CAPACITY}root.{name}.capacity"]) for name in self.names(conf))
        if abs(total - 100) > 0.05:
            return f"Failed to re-init queues : Illegal capacity sum of {total / 100} for children of queue root for label=."
        return None


def capacity(**queues):
    """What a Capacity scheduler tells of its queues: each has those below it, as in capacity(etl={}, prod={"night": {}})."""
    def told(below):
        return {"queue": [{"queueName": name, **({"queues": told(each)} if each else {})} for name, each in below.items()]}

    return {"type": "capacityScheduler", "queueName": "root", "queues": told(queues)}


class SmallYarn:
    """`applications` as YARN's REST interface lists them; `away_until`: no answer before that instant; `hosts()` names its nodes,
    `lost` those that it has given up, and `webs` the addresses of their web servers. `version`: its Hadoop's; None: it tells none.
    `clock_ahead_s`: how far its clock is ahead of this machine's.
    `scheduler`: what it tells of its queues (`capacity` makes one); None: nothing, in an answer of another form. `labels`: its node
    labels, and for each the nodes that have it; None: it knows none, and its nodes tell no memory. `conf`: its settings, by key.
    `allowed`: who may submit to each queue; None: it does not tell, as an old one. An application that a test ends (`finishedTime`)
    as `killed` is shown as such."""

    def __init__(self, queues=None):
        self.applications, self.away_until, self.queues, self.hosts = [], 0.0, queues, lambda: []
        self.lost = set()
        self.webs, self.version, self.scheduler, self.labels = {}, "3.4.2", None, None
        self.clock_ahead_s = 0
        self.conf, self.allowed = {}, None
        yarn, lock = self, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def date_time_string(self, timestamp=None):
                return super().date_time_string(time.time() + yarn.clock_ahead_s)

            def answer(self, status, document):
                words = isinstance(document, str)
                body = document.encode() if words else json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/plain" if words else "application/json")
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
                if path == CONF and yarn.queues:
                    return self.answer(*yarn.queues.read())
                if path == "/ws/v1/cluster/info":
                    version = {"hadoopVersion": yarn.version, "resourceManagerVersion": yarn.version} if yarn.version else {}
                    return self.answer(200, {"clusterInfo": {"startedOn": 1, "rmStateStoreName": "ZKRMStateStore", **version}})
                if path == "/ws/v1/cluster/scheduler" and yarn.scheduler:
                    return self.answer(200, {"scheduler": {"schedulerInfo": yarn.scheduler}})
                if path == "/ws/v1/cluster/nodes":
                    nodes = [{"nodeHostName": each, "state": "LOST" if each in yarn.lost else "RUNNING",
                              "nodeHTTPAddress": yarn.webs.get(each, "")} for each in yarn.hosts()]
                    if yarn.labels is not None:
                        for node in nodes:
                            node.update(usedMemoryMB=0, availMemoryMB=4096, usedVirtualCores=0, availableVirtualCores=8,
                                        nodeLabels=[name for name, on in yarn.labels.items() if node["nodeHostName"] in on])
                    return self.answer(200, {"nodes": {"node": nodes}})
                if path == "/ws/v1/cluster/get-node-labels" and yarn.labels is not None:
                    known = [{"name": name, "exclusivity": True} for name in yarn.labels]
                    return self.answer(200, {"nodeLabelsInfo": {"nodeLabelInfo": known}})
                if path.startswith("/ws/v1/cluster/queues/"):
                    return self.access(path.split("/")[5])
                if path == "/conf":
                    return self.answer(200, {"properties": [{"key": key, "value": value} for key, value in yarn.conf.items()]})
                with lock:
                    shown = [yarn.shown(each, now) for each in yarn.applications]
                if path == "/ws/v1/cluster/metrics":
                    ended = sum(each["state"] != "RUNNING" for each in shown)
                    return self.answer(200, {"clusterMetrics": {"appsCompleted": ended, "appsKilled": 0, "appsFailed": 0}})
                return self.answer(200, {"apps": {"app": shown}} if path == "/ws/v1/cluster/apps" else {"properties": []})

            def access(self, queue):
                if yarn.allowed is None:
                    return self.answer(404, {})
                asked = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
                (user,), (right,) = asked["user"], asked["queue-acl-type"]
                may = right == "SUBMIT_APPLICATIONS" and user in yarn.allowed.get(queue, ())
                return self.answer(200, {"allowed": may, "user": user, "diagnostics": "" if may else f"User={user} doesn't have access"})

            def do_PUT(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    lost = yarn.queues.lose()
                    if lost != "request":
                        answer = yarn.queues.change(body, {each["queue"] for each in yarn.applications
                                                           if each["finishedTime"] > 1000 * time.time()})
                if lost:
                    self.close_connection = True
                    return self.connection.close()
                return self.answer(*answer)

            def do_POST(self):  # a client submits: its tags and its length in seconds
                if time.time() < yarn.away_until:
                    return self.answer(503, {})
                tags, length, *queue = self.path.strip("/").split("/")
                with lock:
                    if queue and yarn.queues and not yarn.queues.takes(queue[0]):
                        return self.answer(400, {})
                    now = int(1000 * time.time())
                    number = f"application_1_{len(yarn.applications) + 1:04}"
                    yarn.applications.append({"id": number, "applicationTags": tags, "startedTime": now, "launchTime": now + 1,
                                              "finishedTime": now + int(1000 * float(length)), "queue": "".join(queue)})
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
        state, status = ("KILLED", "KILLED") if application.get("killed") else ("FINISHED", "SUCCEEDED")
        if not ended:
            state, status = "RUNNING", "UNDEFINED"
        return {**application, "state": state, "finalStatus": status, "finishedTime": application["finishedTime"] if ended else 0}

    def with_tag(self, tag):
        return [each["id"] for each in self.applications if tag in each["applicationTags"].split(",")]
