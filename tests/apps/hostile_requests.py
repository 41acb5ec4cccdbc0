#!/usr/bin/env python3
"""Mutated requests for `sarrus view`: whatever is asked, an answer is one that the server means to give, byte for byte.

    hostile_requests.py PROGRAM [--requests 1000000] [--seconds 20] [--seed 1]

Requests that a browser makes are cut, repeated, mixed, and given fields that servers have tripped over. The page and the
result must come whole and unchanged or not at all, every other answer is a short line of known words, nothing is started
without the key, and afterwards the server lives, holds no more files and threads than before, and ends when it is told to.
"""
import argparse
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

CLIENTS = 6  # at once

MODEL = """sarrus = 1
name = "served"
[[body]]
name = "bob"
mass = 1
com = [0, 0, -1]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "hinge"
type = "revolute"
child = "bob"
axis = "y"
q = 0.5
[simulate]
until = 0.1
"""

# fields that have been somebody's undoing, in cpp-httplib or elsewhere
RANGES = [
    "Range: bytes=0-0", "Range: bytes=99999999-", "Range: bytes=800000-900000", "Range: bytes=-1", "Range: bytes=-99999999",
    "Range: bytes=5-2", "Range: bytes=18446744073709551615-", "Range: bytes=9223372036854775807-9223372036854775808",
    "Range: bytes=" + ",".join("0-" for _ in range(500)), "Range: bytes=0-1,5-6,99999999-", "Range: " + "bytes=" * 500,
    "If-Range: \"x\"", "Accept: */*",
]
FIELDS = RANGES + [
    "Content-Length: 0", "Content-Length: 5", "Content-Length: -1", "Content-Length: +3", "Content-Length: 3, 3",
    "Content-Length: 18446744073709551616", "Content-Length: 65537", "Content-Length: 0x10", "Content-Length:", "Content-Length : 3",
    "Transfer-Encoding: chunked", "Transfer-Encoding: chunked, gzip", "Transfer-Encoding: \x0bchunked", "transfer-encoding:chunked",
    "Content-Encoding: gzip", "Content-Encoding: br", "Accept-Encoding: gzip, br", "Expect: 100-continue", "Upgrade: websocket",
    "Connection: close", "Connection: keep-alive", "Connection: Upgrade, HTTP2-Settings", "Host: evil.example", "Host:",
    "Content-Type: multipart/form-data; boundary=" + "b" * 2000,
    "Content-Disposition: form-data; name=\"f\"; filename*=UTF-8''" + "%41" * 3000,
    "Content-Type: application/x-www-form-urlencoded", "X-Forwarded-For: ,,,", "X-Forwarded-For: 127.0.0.1", "REMOTE_ADDR: 10.0.0.1",
    "LOCAL_PORT: 80", "X-Sarrus-Key: " + "0" * 32, "X-Sarrus-Key:", "X-Sarrus-Key: %0d%0aSet-Cookie: a=b", "Origin: null",
    "Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Last-Event-ID: 5", "Last-Event-ID: -1", "Last-Event-ID: 9223372036854775808",
    "Cookie: " + "a=b; " * 1000, " folded: line", "\tfolded", "No colon here", ": no name", "Na me: x", "X: \x00", "X: \xff\xfe", "X: " + "y" * 20000,
]
NUMBERS = ["0", "-1", "1", "2147483648", "4294967295", "9223372036854775807", "18446744073709551615", "9" * 40, "1e308", "NaN", "%00", "0x7f"]
TARGETS = ["/", "/", "/events", "/events?from=0", "/events?from=3&x=y", "/result", "/result", "/run", "/stop", "/%2e%2e/etc/passwd",
           "/../../etc/passwd", "//", "/?a=b", "/" + "a" * 9000, "*", "http://127.0.0.1/", "/events?" + "from=1&" * 500]
ROUTES = [("GET", "/"), ("GET", "/events?from=0"), ("GET", "/result"), ("POST", "/run"), ("POST", "/stop")]
METHODS = ["GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "OPTIONS", "TRACE", "CONNECT", "get", "G\x00T", ""]


class Mutator:
    def __init__(self, seed, host):
        self.random = random.Random(seed)
        self.host = host

    def request(self):
        r = self.random
        method, target = (r.choice(METHODS), r.choice(TARGETS)) if r.random() < 0.5 else r.choice(ROUTES)
        lines = [f"{method} {target} HTTP/{'1.1' if r.random() < 0.95 else r.choice(['1.0', '2.0', '0.9', '1.1x'])}", f"Host: {self.host}"]
        fields = FIELDS if r.random() < 0.5 else RANGES  # these alone are no fault: a server may leave them unread
        lines += [r.choice(fields) for _ in range(r.choice([0, 1, 1, 1, 2, 3, 6]) if r.random() < 0.98 else 120)]
        body = ""
        if r.random() < 0.3:
            body = r.choice(["x" * r.randrange(200), "5\r\nhello\r\n0\r\n\r\n", "-2\r\nx\r\n", "ffffffffffffffff\r\nx", "{" * 300])
            if r.random() < 0.7:
                lines.append(f"Content-Length: {len(body)}")
        end = "\r\n" if r.random() < 0.97 else r.choice(["\n", "\r", "\r\r\n", "\n\r"])
        return (end.join(lines) + end + end + body).encode("latin1")

    def cut(self, text):
        return text[:self.random.randrange(len(text) + 1)]

    def flip(self, text):
        text = bytearray(text)
        for _ in range(self.random.choice([1, 1, 2, 5])):
            if text:
                text[self.random.randrange(len(text))] = self.random.randrange(256)
        return bytes(text)

    def drop(self, text):
        a = self.random.randrange(len(text) + 1)
        return text[:a] + text[a + self.random.choice([1, 1, 2, 4, 30]):]

    def insert(self, text):
        a = self.random.randrange(len(text) + 1)
        more = self.random.choice([b"\r\n", b"\n", b"\0", b"\r\n\r\n", b" ", b":", b"%0d%0a", bytes(self.random.randrange(256) for _ in range(8))])
        return text[:a] + more + text[a:]

    def repeat(self, text):
        a = self.random.randrange(len(text) + 1)
        b = min(len(text), a + self.random.choice([1, 10, 60]))
        return text[:a] + text[a:b] * self.random.choice([2, 10, 300]) + text[b:]

    def number(self, text):
        found = list(re.finditer(rb"\d+", text))
        if not found:
            return text
        one = self.random.choice(found)
        return text[:one.start()] + self.random.choice(NUMBERS).encode() + text[one.end():]

    def next(self):
        r = self.random
        text = b"".join(self.request() for _ in range(r.choice([1, 1, 1, 1, 2, 3])))
        for _ in range(r.choice([0, 1, 1, 2, 3])):
            text = r.choice([self.cut, self.flip, self.flip, self.drop, self.insert, self.repeat, self.number])(text)
        return text[:60000]


class Server:
    def __init__(self, program, *words, folder):
        self.log = open(os.path.join(folder, "stderr"), "w+b")
        # where it is built with AddressSanitizer, little of what is freed is kept back from use
        self.process = subprocess.Popen([program, "view", *words, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, stderr=self.log,
                                        env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=8:" + os.environ.get("ASAN_OPTIONS", "")})
        line = self.process.stdout.readline().decode()
        port, key = re.search(r":(\d+)/#?(\w*)", line).groups()
        self.port, self.key, self.host = int(port), key, f"127.0.0.1:{port}"

    def ask(self, data):
        """Sends the bytes, closes that side, and returns all that comes back; None where the connection was reset."""
        with socket.socket() as s:
            s.settimeout(30)
            s.connect(("127.0.0.1", self.port))
            try:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                back = bytearray()
                while piece := s.recv(1 << 20):
                    back += piece
                return bytes(back)
            except (ConnectionResetError, BrokenPipeError):
                return None

    def get(self, target):
        return self.ask(f"GET {target} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n".encode())

    def held(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            memory = int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024
        folder = f"/proc/{self.process.pid}"
        return {"memory": memory, "files": len(os.listdir(folder + "/fd")), "threads": len(os.listdir(folder + "/task"))}

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(20)
        self.log.seek(0)
        return code, self.log.read().decode(errors="replace")


HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [A-Za-z ]+\r\n((?:[A-Za-z-]+: [^\r\n]*\r\n)*)\r\n")


def answers(back):
    """The answers in what came back: status, type, body. Fails where it is anything else."""
    at, found = 0, []
    while at < len(back):
        head = HEAD.match(back, at)
        assert head, f"this is no answer: {back[at:at + 200]!r}"
        at = head.end()
        fields = dict(line.lower().split(b": ", 1) for line in head.group(2).split(b"\r\n") if line)
        status, kind = int(head.group(1)), fields.get(b"content-type", b"").split(b";")[0]
        if kind == b"text/event-stream":
            length = len(back) - at
        else:
            length = int(fields.get(b"content-length", b"0"))
        body = back[at:at + length]
        assert len(body) == length, f"{length} bytes were promised, {len(body)} came"
        at += length
        found.append((status, kind, body))
    return found


def judge(found, server, page, result, counts):
    for status, kind, body in found:
        counts[status] = counts.get(status, 0) + 1
        if kind == b"text/html":
            assert status == 200 and body == page, "not the page"
        elif kind == b"application/octet-stream":
            assert status == 200 and body == result, "not the result"
        elif kind == b"text/event-stream":
            assert status == 200 and body.startswith(b"retry: 1000\n") or not body, body[:80]
        else:
            assert status >= 400 and kind == b"text/plain", f"{status} {kind} {body[:80]}"
            assert re.fullmatch(rb"[A-Za-z0-9 .,:;'/-]{5,120}\n", body), body[:200]
        assert not server.key or server.key.encode() not in body, "the key was given away"


class Attack(threading.Thread):
    """One client that asks again and again; what it found wrong stands in `problem`."""

    def __init__(self, server, seed, page, result, requests, until):
        super().__init__()
        self.server, self.page, self.result, self.requests, self.until = server, page, result, requests, until
        self.mutator = Mutator(seed, server.host)
        self.counts, self.sent, self.resets, self.problem = {}, 0, 0, ""

    def run(self):
        while self.sent < self.requests and time.time() < self.until and not self.problem:
            data = self.mutator.next()
            self.sent += 1
            try:
                back = self.server.ask(data)
                if back is None:
                    self.resets += 1
                else:
                    judge(answers(back), self.server, self.page, self.result, self.counts)
            except (AssertionError, OSError) as problem:
                self.problem = f"request {self.sent}: {problem}\n{data[:3000]!r}"


def attack(server, seed, page, result, requests, until):
    """By several clients at once: how many requests, how many connections reset, how often each status."""
    clients = [Attack(server, seed + 1000 * k, page, result, requests // CLIENTS + 1, until) for k in range(CLIENTS)]
    for c in clients:
        c.start()
    for c in clients:
        c.join()
    for c in clients:
        if c.problem:
            sys.exit(c.problem + ("" if server.process.poll() is None else "\nthe server died\n" + server.stop()[1]))
    counts = {}
    for status in sorted(set().union(*(c.counts for c in clients))):
        counts[status] = sum(c.counts.get(status, 0) for c in clients)
    return sum(c.sent for c in clients), sum(c.resets for c in clients), counts


def body_of(back):
    (status, _, body), = answers(back)
    assert status == 200
    return body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--requests", type=int, default=1 << 60)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    program = os.path.abspath(a.program)
    with tempfile.TemporaryDirectory(prefix="sarrus-test-") as folder:
        with open(os.path.join(folder, "m.toml"), "w") as file:
            file.write(MODEL)
        subprocess.run([program, "run", "m.toml", "-o", "m", "-q"], cwd=folder, check=True)
        with open(os.path.join(folder, "m/result.sarrus"), "rb") as file:
            stored = file.read()
        # a result has rows to give away, a model has a key; each gets half
        for number, words in enumerate((["m"], ["m.toml"])):
            server = Server(program, *words, folder=folder)
            page = body_of(server.get("/"))
            result = body_of(server.get("/result")) if number == 0 else b""
            assert number == 1 or result == stored, "the result comes as it is stored"
            before, began = server.held(), time.time()
            sent, resets, counts = attack(server, a.seed + number, page, result, (a.requests + 1) // 2, began + a.seconds / 2)
            took = time.time() - began
            assert body_of(server.get("/")) == page, "the page is what it was"
            limit = time.time() + 10
            while (after := server.held())["threads"] > before["threads"] + 1 and time.time() < limit:
                time.sleep(0.2)
            print(f"view {words[0]}: {sent} requests in {took:.0f} s, {resets} connections reset, answers {counts}")
            print(f"  memory {before['memory']:.0f} → {after['memory']:.0f} MB, files {before['files']} → {after['files']}, threads {before['threads']} → {after['threads']}")
            code, said = server.stop()
            assert code == 0 and "Sanitizer" not in said, f"exit {code}: {said[:3000]}"
            assert counts.get(204, 0) == 0, "something was started without the key"
            assert counts.get(500, 0) == 0, "something went wrong inside"
            assert resets == 0, "an answer was cut off"
            assert after["files"] <= before["files"] + 1 and after["threads"] <= before["threads"] + 1, "something is left behind"
            assert after["memory"] - before["memory"] < 64, "memory grows"
            assert sent >= 100 and counts.get(200, 0) > 0, "too few were tried to mean anything"


main()
