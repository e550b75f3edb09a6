"""What both example back ends share: HTTP with JSON, the event stream, and processes with their logs and sessions.

Only Python's standard library. The contract is docs/openapi/remote-v1.yaml.
"""
import argparse
import base64
import fcntl
import hashlib
import http.server
import itertools
import json
import os
import pty
import signal
import socket
import struct
import subprocess
import termios
import threading
import time
import urllib.parse
import urllib.request
from collections import deque

CHANGED = threading.Condition(threading.RLock())  # guards all state of a back end; notified of every change
CHANGES = deque(maxlen=20000)  # (revision, line of the event stream), oldest first
CLOCK = {"revision": time.time_ns() // 1000}  # grows for ever, also over restarts of the back end
CLOCK["oldest"] = CLOCK["revision"]
OPTIONS = argparse.Namespace()
QUIET = subprocess.DEVNULL


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def changed(kind, **what):
    """Adds a line to the event stream and returns its revision. Hold CHANGED."""
    if len(CHANGES) == CHANGES.maxlen:
        CLOCK["oldest"] = CHANGES[0][0]
    CLOCK["revision"] = max(CLOCK["revision"] + 1, time.time_ns() // 1000)
    CHANGES.append((CLOCK["revision"], {"type": kind, "cursor": str(CLOCK["revision"]), **what}))
    CHANGED.notify_all()
    return CLOCK["revision"]


def gone(uid):
    """Says that a pod is not here any more. Hold CHANGED."""
    CHANGES[-1][1]["revision"] = changed("gone", uid=uid)


def kill(process, number):
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def end_orphans(mark):
    """Kills the processes that an earlier run of this program left behind because it was killed itself."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                if f"VERTLET_BACK_END={mark}".encode() in file.read().split(b"\0"):
                    os.kill(int(number), signal.SIGKILL)
        except OSError:
            pass  # it has just ended, or is another user's


def write_volumes(root, containers, volumes):
    """Writes the files of volumes where the containers' mounts have them, below the directory root."""
    for mount in [m for c in containers for m in c.get("volumeMounts", [])]:
        for file in volumes.get(mount["name"], {}).get("files", []):
            path = os.path.normpath(f"{root}/{mount['mountPath']}/{file['path']}")
            if path.startswith(root + "/"):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path + ".new", "wb", opener=lambda p, flags: os.open(p, flags, file["mode"] | 0o200)) as out:
                    out.write(base64.b64decode(file["content"]))
                os.replace(path + ".new", path)  # readers see the old or the new file, never half of one


class Instance:
    """One run of a container: a process of this machine with its log."""

    def __init__(self, spec, root):
        self.spec, self.root, self.log, self.process, self.over = spec, root, [], None, False

    def start(self, command, **pipes):
        values = {v["name"]: v.get("value", "") for v in self.spec.get("env", [])}
        environment = {"PATH": os.environ.get("PATH", ""), "VERTLET_ROOT": self.root, **values, "VERTLET_BACK_END": OPTIONS.mark}
        return subprocess.Popen(command, env=environment, cwd=self.spec.get("workingDir"), bufsize=0, start_new_session=True, **pipes)

    def begin(self):
        """Starts the process; an OSError says why it cannot be started."""
        stdin = subprocess.PIPE if self.spec.get("stdin") else QUIET
        command = self.spec.get("command", []) + self.spec.get("args", [])
        self.process = self.start(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.readers = [threading.Thread(target=self.read, args=(self.process.stdout, "stdout")),
                        threading.Thread(target=self.read, args=(self.process.stderr, "stderr"))]
        for reader in self.readers:
            reader.start()

    def read(self, stream, name):
        for text in stream:
            seconds, nanos = divmod(time.time_ns(), 10**9)
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{nanos:09d}Z"
            with CHANGED:
                self.log.append((stamp, name, text.rstrip(b"\n")))
                CHANGED.notify_all()

    def wait(self):
        """Waits for the end and all output, and returns the exit code, 128 + n for signal n."""
        code = self.process.wait()
        kill(self.process, signal.SIGKILL)  # what it left behind would hold its output open
        for reader in self.readers:
            reader.join()
        with CHANGED:
            self.over = True
            CHANGED.notify_all()
        return code if code >= 0 else 128 - code

    def running(self):
        return self.process is not None and not self.over

    def stop(self, grace):
        """Ends the process, by force after the grace period in seconds."""
        if self.running():
            kill(self.process, signal.SIGTERM)
            timer = threading.Timer(grace, kill, (self.process, signal.SIGKILL))
            timer.daemon = True
            timer.start()

    def healthy(self, action, seconds):
        """Probes the process once, by a command, a GET or a connection."""
        try:
            if "exec" in action:
                return self.start(action["exec"]["command"], stdout=QUIET, stderr=QUIET).wait(seconds) == 0
            asked = action.get("httpGet") or action["tcpSocket"]
            ports = {p["name"]: p["containerPort"] for p in self.spec.get("ports", []) if "name" in p}
            port = ports.get(asked["port"], asked["port"])
            if "httpGet" in action:
                return urllib.request.urlopen(f"http://{OPTIONS.address}:{port}{asked.get('path', '/')}", timeout=seconds).status < 400
            socket.create_connection((OPTIONS.address, int(port)), seconds).close()
            return True
        except (OSError, subprocess.TimeoutExpired):
            return False


def usage():
    """CPU nanoseconds and bytes of memory of each session of this machine."""
    used, tick, page = {}, 10**9 // os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat") as file:
                field = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has just ended
        cpu, memory = used.get(int(field[3]), (0, 0))
        used[int(field[3])] = cpu + (int(field[11]) + int(field[12])) * tick, memory + int(field[21]) * page
    return used


class Channels:
    """The server's end of a WebSocket in Kubernetes' v5.channel.k8s.io framing: a channel's number before each message."""

    def __init__(self, request):
        key = request.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        request.send_response(101)
        request.send_header("Upgrade", "websocket")
        request.send_header("Connection", "Upgrade")
        request.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        request.send_header("Sec-WebSocket-Protocol", "v5.channel.k8s.io")
        request.end_headers()
        request.close_connection = True
        self.input, self.output, self.lock = request.rfile, request.wfile, threading.Lock()

    def frame(self, opcode, payload):
        size = bytes([len(payload)]) if len(payload) < 126 else b"\x7e" + struct.pack(">H", len(payload))
        with self.lock:
            self.output.write(bytes([0x80 | opcode]) + size + payload)

    def send(self, channel, data):
        self.frame(2, bytes([channel]) + data)

    def finish(self, status=None, listener=None):
        """Sends the result of a command, if there is one, closes the session and reads until the client has closed it, too.

        A connection with unread bytes that is closed at once loses what the client has not read yet: the result.
        """
        try:
            if status:
                self.send(3, json.dumps({"metadata": {}, **status}).encode())
            self.frame(8, struct.pack(">H", 1000))
            if listener:
                return listener.join(10)
            for _ in self:
                pass
        except OSError:
            pass  # the client has left

    def __iter__(self):
        """Messages of the client, as (channel, data), until it leaves."""
        message = b""
        while len(head := self.input.read(2)) == 2:
            size = head[1] & 0x7F
            size = struct.unpack(">H", self.input.read(2))[0] if size == 126 else size
            size = struct.unpack(">Q", self.input.read(8))[0] if size == 127 else size
            key = (self.input.read(4) * (size // 4 + 1))[:size]
            data = self.input.read(size)
            data = (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
            opcode = head[0] & 0x0F
            if opcode == 8:
                return
            if opcode == 9:
                self.frame(10, data)
            if opcode < 3:
                message += data
                if head[0] & 0x80 and message:
                    yield message[0], message[1:]
                    message = b""

    def pump(self, read, channel):
        """Sends what is read until nothing is left; waits while the client does not read."""
        try:
            while data := read(32768):
                self.send(channel, data)
        except OSError:
            pass  # a terminal ends with EIO, a client that has left with EPIPE


class Api(http.server.BaseHTTPRequestHandler):
    """Answers requests: /v1/x/… with the method get_x, put_x and so on, which gets the rest of the path."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # an answer leaves in two writes, and would wait 40 ms for the acknowledgement of the first

    def do(self):
        self.begun = False
        try:
            url = urllib.parse.urlsplit(self.path)
            self.query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
            size = int(self.headers.get("Content-Length") or 0)
            self.body = json.loads(self.rfile.read(size)) if size else {}
            _, _, kind, *rest = url.path.split("/") + ["", ""]
            rest = [urllib.parse.unquote(part) for part in rest if part]
            if OPTIONS.token_file:
                with open(OPTIONS.token_file) as file:
                    if self.headers.get("Authorization") != "Bearer " + file.read().strip():
                        return self.fail(401, "Unauthorized", "the bearer token is wrong")
            if kind == "pods" and len(rest) > 1:
                return self.stream(*rest)
            route = getattr(self, f"{self.command.lower()}_{kind}", None)
            return route(*rest) if route else self.fail(404, None, "there is no such route")
        except ConnectionError:
            self.close_connection = True
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
            self.close_connection = True
            if not self.begun:
                self.fail(400, "InvalidRequest", f"the request makes no sense: {type(e).__name__} {e}")

    do_GET = do_PUT = do_POST = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_TRACE = do

    def send_response(self, *status):
        self.begun = True
        super().send_response(*status)

    def asked(self, name, default=None):
        return self.query.get(name, [default])[0]

    def answer(self, code, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        if code not in (204, 304):
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", len(data))
        self.end_headers()
        self.wfile.write(data)

    def fail(self, code, reason, message):
        """An error with a reason is about a pod; one without is about a route that does not exist."""
        self.answer(code, {"message": message, **({"reason": reason} if reason else {})})

    def chunks(self, kind):
        """Begins an answer of unknown length; what it returns sends a piece, an empty one at the end."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        return lambda data: self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def get_events(self):
        cursor = int(self.asked("from", 0))
        with CHANGED:
            if not CLOCK["oldest"] <= cursor <= CLOCK["revision"]:
                return self.fail(410, "Expired", "list the pods again")
        send = self.chunks("application/x-ndjson")
        while True:
            with CHANGED:
                CHANGED.wait_for(lambda: CLOCK["revision"] > cursor, OPTIONS.heartbeat)
                new = list(itertools.takewhile(lambda change: change[0] > cursor, reversed(CHANGES)))[::-1]
                lines = [line for _, line in new] or [{"type": "heartbeat", "cursor": str(cursor)}]
            cursor = int(lines[-1]["cursor"])
            send(b"".join(json.dumps(line).encode() + b"\n" for line in lines))

    def get_node(self):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        capacity = {"cpu": str(os.cpu_count()), "memory": f"{memory // 1024}Ki", "pods": "110"}
        self.answer(200, {"metadata": {"name": self.query["name"][0], "labels": {"vertlet.dev/back-end": "processes"}},
                          "status": {"capacity": capacity, "allocatable": capacity}})

    def get_stats(self, _):
        used = usage()
        pods = {}
        with CHANGED:
            for (uid, namespace, name), instance in self.instances(self.asked("node")):
                cpu, memory = used.get(instance.process.pid, (0, 0)) if instance.running() else (0, 0)
                pod = pods.setdefault(uid, {"podRef": {"uid": uid, "namespace": namespace, "name": name}, "containers": []})
                pod["containers"].append({"name": instance.spec["name"], "cpu": {"time": now(), "usageCoreNanoSeconds": cpu},
                                          "memory": {"time": now(), "workingSetBytes": memory}})
        self.answer(200, {"node": {"nodeName": self.asked("node")}, "pods": list(pods.values())})

    def stream(self, uid, *rest):
        """Logs and sessions. find() of the back end has the instance; a port needs none."""
        with CHANGED:
            found = self.find(uid, rest[1] if len(rest) > 1 else None)
        if not found:
            return self.fail(404, "NotFound", f"there is no container {rest[1]} of pod {uid}" if len(rest) > 1 else f"there is no pod {uid}")
        if rest[-1] == "logs":
            return self.logs(found)
        if len(rest) > 1 and not found.running():
            return self.fail(404, "NotRunning", f"container {rest[1]} does not run")
        if "Sec-WebSocket-Key" not in self.headers:  # it only asks whether the session could begin
            return self.fail(426, "UpgradeRequired", "a session is a WebSocket")
        getattr(self, rest[-1])(found)

    def logs(self, instance):
        tail, limit, stream, since = self.asked("tailLines"), self.asked("limitBytes"), self.asked("stream", "All"), self.asked("sinceTime", "")
        wanted = lambda line: line[0] >= since and stream in ("All", line[1].capitalize())
        left = int(limit) if limit else float("inf")
        with CHANGED:
            position, lines = len(instance.log), [line for line in instance.log if wanted(line)]
        lines = lines[max(0, len(lines) - int(tail)):] if tail is not None else lines
        send = self.chunks("text/plain")
        while left:
            text = b"".join((line[0].encode() + b" " if self.asked("timestamps") == "true" else b"") + line[2] + b"\n" for line in lines)
            text = text[:int(min(left, len(text)))]
            left -= len(text)
            if text:
                send(text)
            with CHANGED:
                if self.asked("follow") == "true":
                    CHANGED.wait_for(lambda: len(instance.log) > position or not instance.running())
                lines, position = [line for line in instance.log[position:] if wanted(line)], len(instance.log)
                if self.asked("follow") != "true" or not lines and not instance.running():
                    break
        send(b"")

    def exec(self, instance):
        channels, terminal = Channels(self), self.asked("tty") == "true"
        outer, inner = pty.openpty() if terminal else (None, subprocess.PIPE)
        stdin = inner if terminal or self.asked("stdin") == "true" else QUIET
        try:
            process = instance.start(self.query["command"], stdin=stdin, stdout=inner, stderr=inner)
        except OSError as e:
            return channels.finish({"status": "Failure", "reason": "InternalError", "message": str(e)})
        if terminal:
            os.close(inner)
            outputs = [(lambda size: os.read(outer, size), 1)]
            write, end = lambda data: os.write(outer, data), lambda: os.write(outer, b"\x04")
        else:
            outputs = [(process.stdout.read, 1), (process.stderr.read, 2)]
            write, end = (process.stdin.write, process.stdin.close) if process.stdin else (len, int)

        def listen():
            try:
                for channel, data in channels:
                    while channel == 0 and data:
                        data = data[write(data):]
                    if channel == 4 and terminal:
                        size = json.loads(data)
                        fcntl.ioctl(outer, termios.TIOCSWINSZ, struct.pack("HHHH", size["Height"], size["Width"], 0, 0))
                    if channel == 255 and data == b"\0":
                        end()
            except (OSError, ValueError):
                for _ in channels:
                    pass  # the command reads no more
            kill(process, signal.SIGKILL)

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        pumps = [threading.Thread(target=channels.pump, args=output) for output in outputs]
        for pump in pumps:
            pump.start()
        for pump in pumps:
            pump.join()
        code = process.wait()
        failure = {"status": "Failure", "reason": "NonZeroExitCode", "message": f"command terminated with exit code {code}",
                   "details": {"causes": [{"reason": "ExitCode", "message": str(code if code >= 0 else 128 - code)}]}}
        channels.finish(failure if code else {"status": "Success"}, listener)

    def attach(self, instance):
        channels, position, left = Channels(self), len(instance.log), threading.Event()
        stdin = instance.process.stdin

        def listen():
            try:
                for channel, data in channels:
                    if channel == 0 and stdin:
                        stdin.write(data)
                    if channel == 255 and stdin and instance.spec.get("stdinOnce"):
                        stdin.close()
            except (OSError, ValueError):
                pass
            with CHANGED:
                left.set()
                CHANGED.notify_all()

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        while True:
            with CHANGED:
                CHANGED.wait_for(lambda: len(instance.log) > position or not instance.running() or left.is_set())
                lines, position = instance.log[position:], len(instance.log)
                over = left.is_set() or not lines and not instance.running()
            if over:
                return channels.finish({"status": "Success"}, listener)
            for _, stream, text in lines:
                channels.send(1 if stream == "stdout" else 2, text + b"\n")

    def portforward(self, _):
        channels, port = Channels(self), int(self.asked("port"))
        try:
            connection = socket.create_connection((OPTIONS.address, port))
        except OSError as e:
            channels.send(1, f"failed to connect to port {port}: {e}".encode())
            return channels.finish()

        def listen():
            try:
                for channel, data in channels:
                    if channel == 0:
                        connection.sendall(data)
                    if channel == 255:
                        connection.shutdown(socket.SHUT_WR)
                        break
                else:
                    connection.close()  # the client has left
            except OSError:
                pass

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        channels.pump(connection.recv, 0)
        try:
            channels.send(255, b"\0")
        except OSError:
            pass
        listener.join()
        channels.finish()

    def log_message(self, *_):
        pass


def serve(api, description, end):
    """Serves until SIGTERM or an interrupt, then calls end."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8099, help="0 for any; the first line of output tells it")
    parser.add_argument("--address", default="127.0.0.1", help="address of this machine; every pod has it")
    parser.add_argument("--heartbeat", type=float, default=10, help="seconds between two lines of a silent event stream")
    parser.add_argument("--token-file", help="file with the token that clients must send")
    parser.parse_args(namespace=OPTIONS)
    http.server.ThreadingHTTPServer.request_queue_size = 256
    server = http.server.ThreadingHTTPServer((OPTIONS.address, OPTIONS.port), api)
    OPTIONS.mark = f"{OPTIONS.address}:{server.server_port}"
    end_orphans(OPTIONS.mark)
    print(f"listening on http://{OPTIONS.mark}", flush=True)
    # not by SIGINT itself, which shells let programs in the background ignore
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        with CHANGED:
            end()
        os._exit(0)
