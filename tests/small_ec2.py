"""A cloud of a test's own: EC2, STS and EMR as far as wavewright asks them, on a free loopback port.

It checks every signature by its own arithmetic (AWS Signature Version 4), keeps client tokens, and fails as told:
`faults[ACTION]` is a list of what the next requests meet, `chances` of what any request meets:
  throttle, 500      the error, without an effect
  cut                the connection ends, without an effect
  lost               the effect, and then the connection ends
  late               the connection ends, and the effect comes half a second later
  CODE               an error of that code, without an effect
"""
import base64
import hashlib
import hmac
import json
import random
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

KEY_ID, SECRET = "AKIAWAVEWRIGHTTEST", "wave/right+SECRET"


def expected_signature(headers, body, authorization):
    """That of AWS's documentation, step by step, for a POST to / without a query."""
    parts = dict(each.strip().split("=", 1) for each in authorization.split(" ", 1)[1].split(","))
    _, day, region, service, _ = parts["Credential"].split("/")
    names = parts["SignedHeaders"].split(";")
    canonical = "\n".join(["POST", "/", "", *(f"{name}:{' '.join((headers.get(name) or 'MISSING').split())}" for name in names), "",
                           ";".join(names), hashlib.sha256(body).hexdigest()])
    scope = f"{day}/{region}/{service}/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for word in (day, region, service, "aws4_request"):
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), parts, names


class SmallEc2:
    def __init__(self, seed=1, boot=0.1, lists_late=0.0, page=3):
        self.random, self.lock = random.Random(seed), threading.RLock()
        self.boot, self.lists_late, self.page = boot, lists_late, page
        self.instances, self.tokens, self.requests = {}, {}, []
        self.faults, self.chances, self.bad_signatures = {}, {}, []
        self.keeps_tokens, self.types, self.session_token = True, {"m5.large", "c5.xlarge"}, None
        self.never_up = 0  # so many of the next machines stay pending
        self.groups = {"j-1": [{"Id": "ig-core", "InstanceGroupType": "CORE", "RequestedInstanceCount": 2, "RunningInstanceCount": 2},
                               {"Id": "ig-task", "InstanceGroupType": "TASK", "RequestedInstanceCount": 1, "RunningInstanceCount": 1}]}
        cloud = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                cloud.answer(self, body)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # programs are killed while they ask

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    # Answers

    def answer(self, request, body):
        target = request.headers.get("X-Amz-Target")
        form = {} if target else dict(parse_qsl(body.decode(), keep_blank_values=True))
        action = target.split(".")[-1] if target else form["Action"]
        with self.lock:
            self.requests.append((action, form or json.loads(body)))
            fault = self.next_fault(action)
        if fault in ("cut", "late"):
            if fault == "late":
                threading.Timer(0.5, lambda: self.act(action, form or json.loads(body))).start()
            return self.cut(request)
        if problem := self.signature_problem(request, body):
            return self.fail(request, target, 403, *problem)
        if fault == "throttle":
            return self.fail(request, target, 503, "RequestLimitExceeded", "Request limit exceeded.")
        if fault == "500":
            return self.fail(request, target, 500, "InternalError", "An internal error has occurred")
        if fault and fault != "lost":
            return self.fail(request, target, 400, fault, f"told to be {fault}")
        try:
            done = self.act(action, form or json.loads(body))
        except ValueError as error:
            return self.fail(request, target, 400, *error.args)
        if fault == "lost":
            return self.cut(request)
        text = json.dumps(done) if target else f'<?xml version="1.0" encoding="UTF-8"?>\n<{action}Response>{done}</{action}Response>'
        return self.send(request, 200, text)

    def next_fault(self, action):
        if self.faults.get(action):
            return self.faults[action].pop(0)
        for fault, chance in self.chances.items():
            if self.random.random() < chance:
                return fault
        return None

    def signature_problem(self, request, body):
        authorization = request.headers.get("Authorization", "")
        if not authorization.startswith("AWS4-HMAC-SHA256 "):
            return "MissingAuthenticationToken", "Request is missing Authentication Token"
        expected, parts, names = expected_signature(request.headers, body, authorization)
        if parts["Credential"].split("/")[0] != KEY_ID:
            return "AuthFailure", "AWS was not able to validate the provided access credentials"
        if self.session_token and request.headers.get("x-amz-security-token") != self.session_token:
            return "ExpiredToken", "The security token included in the request is expired"
        needed = {"content-type", "host", "x-amz-date"} | ({"x-amz-security-token"} if self.session_token else set())
        if parts["Signature"] != expected or names != sorted(names) or not needed <= set(names):
            self.bad_signatures.append((parts["SignedHeaders"], str(request.headers)))
            token = request.headers.get("x-amz-security-token", "")
            return "SignatureDoesNotMatch", f"The Canonical String should have been x-amz-security-token:{token}"
        return None

    @staticmethod
    def cut(request):
        request.close_connection = True
        request.connection.shutdown(socket.SHUT_RDWR)

    def fail(self, request, target, status, code, message):
        text = json.dumps({"__type": f"com.amazonaws#{code}", "message": message}) if target else \
            f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors></Response>"
        self.send(request, status, text)

    @staticmethod
    def send(request, status, text):
        try:
            request.send_response(status)
            request.send_header("Content-Length", str(len(text.encode())))
            request.end_headers()
            request.wfile.write(text.encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # the program was killed meanwhile

    # Actions

    def act(self, action, form):
        with self.lock:
            return getattr(self, "do_" + action)(form)

    def do_GetCallerIdentity(self, _):
        return "<GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult>"

    def do_RunInstances(self, form):
        token = form["ClientToken"]
        same = {name: value for name, value in form.items() if name != "ClientToken"}
        if form["InstanceType"] not in self.types:
            raise ValueError("Unsupported", f"Your requested instance type ({form['InstanceType']}) is not supported in your region")
        if self.keeps_tokens and token in self.tokens:
            if self.tokens[token][0] != same:
                raise ValueError("IdempotentParameterMismatch", "The request uses the same client token, but other parameters")
            return self.items(self.tokens[token][1])
        made = []
        for _ in range(int(form["MaxCount"])):
            one = {"id": f"i-{len(self.instances):017x}", "type": form["InstanceType"], "launched": time.time(), "ended": None,
                   "tags": {form[f"TagSpecification.1.Tag.{i}.Key"]: form[f"TagSpecification.1.Tag.{i}.Value"] for i in (1, 2, 3)},
                   "bid": form.get("InstanceMarketOptions.SpotOptions.MaxPrice"), "user_data": base64.b64decode(form["UserData"]).decode(),
                   "up": time.time() + self.boot}
            if self.never_up > 0:
                self.never_up -= 1
                one["up"] = float("inf")
            self.instances[one["id"]] = one
            made.append(one)
        self.tokens.setdefault(token, (same, made))
        return self.items(made)

    def do_DescribeInstances(self, form):
        assert form["Filter.1.Name"] == "tag:wavewright:ledger"
        begin = int(form.get("NextToken", "0"))
        ours = [one for one in self.instances.values() if one["tags"]["wavewright:ledger"] == form["Filter.1.Value.1"]
                and time.time() - one["launched"] >= self.lists_late]
        more = f"<nextToken>{begin + self.page}</nextToken>" if begin + self.page < len(ours) else ""
        return f"<reservationSet>{''.join(f'<item>{self.items([one])}</item>' for one in ours[begin:begin + self.page])}</reservationSet>{more}"

    def do_TerminateInstances(self, form):
        ids = [value for name, value in form.items() if name.startswith("InstanceId.")]
        if unknown := [each for each in ids if each not in self.instances]:
            raise ValueError("InvalidInstanceID.NotFound", f"The instance IDs '{', '.join(unknown)}' do not exist")
        for each in ids:
            self.instances[each]["ended"] = self.instances[each]["ended"] or time.time()
        return "<instancesSet/>"

    def do_DescribeSpotPriceHistory(self, form):
        return ("<spotPriceHistorySet><item><instanceType>m5.large</instanceType><spotPrice>0.041</spotPrice></item>"
                "<item><instanceType>m5.large</instanceType><spotPrice>0.038500</spotPrice></item></spotPriceHistorySet>")

    def state(self, one):
        if one["ended"]:
            return "terminated" if time.time() - one["ended"] > 0.1 else "shutting-down"
        return "running" if time.time() >= one["up"] else "pending"

    def items(self, instances):
        def item(one):
            tags = "".join(f"<item><key>{key}</key><value>{value}</value></item>" for key, value in one["tags"].items())
            at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(one["launched"]))
            return (f"<item><instanceId>{one['id']}</instanceId><instanceState><name>{self.state(one)}</name></instanceState>"
                    f"<privateDnsName>ip-{one['id']}.internal</privateDnsName><launchTime>{at}</launchTime><tagSet>{tags}</tagSet></item>")
        return f"<instancesSet>{''.join(item(one) for one in instances)}</instancesSet>"

    def do_ListInstanceGroups(self, ask):
        for group in self.groups.get(ask["ClusterId"], []):
            group["RunningInstanceCount"] = group["RequestedInstanceCount"]
            group["Status"] = {"State": "RUNNING"}
        groups, begin = self.groups.get(ask["ClusterId"], []), int(ask.get("Marker", "0"))
        return {"InstanceGroups": groups[begin:begin + 1], **({"Marker": str(begin + 1)} if begin + 1 < len(groups) else {})}

    def do_ModifyInstanceGroups(self, ask):
        for wish in ask["InstanceGroups"]:
            for group in self.groups[ask["ClusterId"]]:
                if group["Id"] == wish["InstanceGroupId"]:
                    group["RequestedInstanceCount"] = wish["InstanceCount"]
        return {}

    # What tests look at

    def alive(self):
        with self.lock:
            return sorted(one["id"] for one in self.instances.values() if not one["ended"])

    def count(self, action):
        with self.lock:
            return sum(1 for name, _ in self.requests if name == action)
