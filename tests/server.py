#!/usr/bin/env python3
"""Servers that tests of HTTP sources talk to, on free loopback ports.

  server.py odd [CERTIFICATE KEY]   answers as broken and hostile servers do; /json is a good answer
  server.py drips                   a byte every tenth of a second
  server.py hangs                   takes each request and never answers
  server.py replay FILE             answers recorded from a real server: {path with query: answer}; a number is a status, false hangs up
  server.py master FILE             a ResourceManager of several: FILE says {"state": ACTIVE, STANDBY or page, "active": address, "clock_ahead_s": 0}
  server.py ends                    a ResourceManager at which an application ends before each answer
  server.py webhdfs FOLDER          WebHDFS over a local folder; OPEN redirects to a second port, as a NameNode does

Prints the port (webhdfs: both) and serves until its standard input ends.
"""
import gzip, json, os, socket, ssl, struct, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, kind="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, value, status=200):
        self.answer(json.dumps(value).encode(), status)

    def redirect(self, to):
        self.answer(b"", 307, Location=to)

    def hang_up(self, reset):
        if reset:  # RST instead of FIN
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()
        self.close_connection = True


class Odd(Handler):
    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/json":
            self.json({"good": True})
        elif path == "/gzip":
            self.answer(gzip.compress(b'{"good": true}'), Content_Encoding="gzip")
        elif path == "/login":
            self.answer(b"<html><form action=/login></html>", kind="text/html")
        elif path.startswith("/status/"):
            self.json({"RemoteException": {"message": "as asked"}}, int(path[8:]))
        elif path == "/here":
            self.redirect("/json")
        elif path == "/elsewhere":
            self.redirect("http://elsewhere.example:81/login?token=SECRET")
        elif path == "/bare":
            self.redirect(f"http://127.0.0.1:{self.server.server_port}/json")
        elif path == "/file":
            self.redirect("file:///etc/hostname")
        elif path == "/circle":
            self.redirect("/circle")
        elif path == "/silent":
            time.sleep(30)
        elif path == "/drip":
            self.send_response(200)
            self.end_headers()
            for _ in range(300):
                self.wfile.write(b" ")
                time.sleep(0.1)
        elif path == "/large":
            self.send_response(200)
            self.end_headers()
            for _ in range(64):
                self.wfile.write(b" " * (1 << 20))
        elif path == "/bomb":
            self.answer(gzip.compress(b" " * (64 << 20)), Content_Encoding="gzip")
        elif path == "/half":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"half": ')
            self.hang_up(False)
        elif path == "/reset":
            self.hang_up(True)
        elif path == "/rpc" or path.startswith(("/ws/", "/webhdfs/")):
            self.answer(b"It looks like you are making an HTTP request to a Hadoop IPC port. "
                        b"This is not the correct port for the web interface on this daemon.", 404, "text/plain")
        else:
            self.answer(b"", 404)


class Drips(Handler):
    """Answers with a byte every tenth of a second for ten minutes."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        for _ in range(6000):
            self.wfile.write(b" ")
            time.sleep(0.1)


class Hangs(Handler):
    def do_GET(self):
        time.sleep(600)


class Replay(Handler):
    file = ""

    @property
    def recorded(self):  # read each time: a test may change it
        with open(self.file, encoding="utf-8") as file:
            return json.load(file)

    def do_GET(self):
        path = urlsplit(self.path).path
        recorded = self.recorded
        found = recorded.get(self.path, recorded.get(path))
        if found is None:
            self.json({"RemoteException": {"exception": "NotFoundException"}}, 404)
        elif found is False:
            self.hang_up(True)
        elif isinstance(found, int):
            self.json({"RemoteException": {"message": "as asked"}}, found)
        elif isinstance(found, str):  # anything that is not JSON
            self.answer(found.encode(), kind="text/html")
        elif path.endswith("/mapreduce/jobs"):
            query = {key: value[0] for key, value in parse_qs(urlsplit(self.path).query).items()}
            if "limit" not in query and query.get("finishedTimeBegin") != query.get("finishedTimeEnd"):
                self.json({"RemoteException": {"message": "asked for everything at once"}}, 500)
            else:
                self.json(self.chosen(found, {key: int(value) for key, value in query.items()}))
        else:
            self.json(found)

    def chosen(self, found, query):
        """Finish times and limit as the JobHistory server reads them: the first by id that fit."""
        jobs = (found.get("jobs") or {}).get("job", [])
        begin, end = query.get("finishedTimeBegin", 0), query.get("finishedTimeEnd", 1 << 62)
        jobs = [job for job in sorted(jobs, key=lambda job: job["id"]) if begin <= job.get("finishTime", 0) <= end]
        jobs = jobs[: query.get("limit", len(jobs))]
        return {"jobs": {"job": jobs} if jobs else None}


class Master(Handler):
    """Answers as Hadoop's RMWebAppFilter does; what it is may change at any time."""
    file = ""
    clock_ahead_s = 0

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + self.clock_ahead_s)

    def do_GET(self):
        with open(self.file, encoding="utf-8") as file:
            told = json.load(file)
        self.clock_ahead_s = told.get("clock_ahead_s", 0)
        if told["state"] == "page":
            self.answer(b"<html><form action=/login></html>", kind="text/html")
        elif urlsplit(self.path).path == "/ws/v1/cluster/info":
            self.json({"clusterInfo": {"haState": told["state"], "startedOn": 1}})
        elif told["state"] == "ACTIVE":
            self.json({"port": self.server.server_port})
        elif told.get("active"):
            self.answer(f"This is standby RM. The redirect url is: {self.path}\n".encode(), 307, "text/plain",
                        Location=told["active"] + self.path)
        else:
            self.answer(b"Can not find any active RM. Will retry in next 4 seconds.\n", 307, "text/plain",
                        Refresh=f"4;url=http://127.0.0.1:{self.server.server_port}{self.path}?refresh=1")


class Ends(Handler):
    """Lists the last application that ended, and counts all."""
    ended = 0

    def do_GET(self):
        path = urlsplit(self.path).path
        Ends.ended += 1
        answers = {
            "/ws/v1/cluster/info": {"clusterInfo": {"haState": "ACTIVE", "startedOn": 1}},
            "/ws/v1/cluster/metrics": {"clusterMetrics": {"appsCompleted": Ends.ended}},
            "/ws/v1/cluster/appstatistics": {"appStatInfo": {"statItem": [{"state": "FINISHED", "type": "*", "count": 1}]}},
            "/ws/v1/cluster/apps": {"apps": {"app": [{"id": f"application_1_{Ends.ended:04}", "state": "FINISHED", "finalStatus": "SUCCEEDED"}]}},
            "/conf": {"properties": [{"key": "yarn.resourcemanager.max-completed-applications", "value": "1"}]},
        }
        if path in answers:
            self.json(answers[path])
        else:
            self.answer(b"", 404)


class WebHdfs(Handler):
    folder = ""
    data_port = 0
    batch = 2  # entries a listing, so that tests see several

    def status(self, path, name):
        at = os.lstat(path)
        kind = "DIRECTORY" if os.path.isdir(path) else "FILE"
        return {"pathSuffix": name, "type": kind, "length": 0 if kind == "DIRECTORY" else at.st_size,
                "modificationTime": int(at.st_mtime * 1000)}

    def refuse(self, status, exception, message):
        self.json({"RemoteException": {"exception": exception, "message": message}}, status)

    def do_GET(self):
        url = urlsplit(self.path)
        query = {key: value[0] for key, value in parse_qs(url.query).items()}
        path = self.folder + unquote(url.path)[len("/webhdfs/v1"):]
        if query.get("user.name") == "nobody":
            return self.refuse(403, "AccessControlException", "Permission denied: user=nobody")
        if "standby" in path:
            return self.refuse(403, "StandbyException", "Operation category READ is not supported in state standby")
        if not os.path.lexists(path):
            return self.refuse(404, "FileNotFoundException", f"File {path} does not exist.")
        op = query.get("op")
        if op == "OPEN" and self.server.server_port != self.data_port:
            return self.redirect(f"http://127.0.0.1:{self.data_port}{self.path}&token=SECRET")
        if op == "OPEN":
            with open(path, "rb") as file:
                return self.answer(file.read(), kind="application/octet-stream")
        if op == "GETFILESTATUS":
            return self.json({"FileStatus": self.status(path, "")})
        names = sorted(os.listdir(path)) if os.path.isdir(path) else [""]
        entries = [self.status(os.path.join(path, name), name) for name in names]
        if op == "LISTSTATUS":
            return self.json({"FileStatuses": {"FileStatus": entries}})
        if op == "LISTSTATUS_BATCH" and not os.environ.get("OLD_HADOOP"):
            left = [entry for entry in entries if entry["pathSuffix"] > query.get("startAfter", "")]
            left = left or ([] if names != [""] else entries)
            return self.json({"DirectoryListing": {
                "partialListing": {"FileStatuses": {"FileStatus": left[: self.batch]}},
                "remainingEntries": max(0, len(left) - self.batch)}})
        self.refuse(400, "IllegalArgumentException", f'Invalid value for webhdfs parameter "op": {op}')


def serve(handler, certificate=None):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # clients that hang up are what is tested
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def main(kind, *args):
    if kind == "odd":
        ports = [serve(Odd, args)]
    elif kind == "drips":
        ports = [serve(Drips)]
    elif kind == "hangs":
        ports = [serve(Hangs)]
    elif kind == "replay":
        Replay.file = args[0]
        ports = [serve(Replay)]
    elif kind == "ends":
        ports = [serve(Ends)]
    elif kind == "master":
        Master.file = args[0]
        ports = [serve(Master)]
    else:
        WebHdfs.folder = args[0]
        WebHdfs.data_port = serve(WebHdfs)
        ports = [serve(WebHdfs), WebHdfs.data_port]
    print(*ports, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
