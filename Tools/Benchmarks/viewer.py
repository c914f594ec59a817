#!/usr/bin/env python3
"""What the viewer's server takes: python3 viewer.py COMMAND FILE

Starts `varve view FILE`, asks as the page does, and prints the figures as JSON, times in milliseconds.
"""

import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.parse

STEPS = 200  # of zoom
LANES = 50
WIDTH = 1_400  # pixels
WHYS = 40
RANGE = 10_000_000  # events


class Server:
    def __init__(self, command, file):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [command, "view", file, "--no-open", "-q"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.root, self.host = address.path, ("127.0.0.1", address.port)
        self.connection = None

    def ask(self, path, patience=600, **parameters):
        """An answer's body, as a browser that keeps its connection gets it."""
        self.connection = self.connection or socket.create_connection(self.host, patience)
        query = urllib.parse.urlencode(parameters)
        self.connection.sendall(
            f"GET {self.root}api/{path}?{query} HTTP/1.1\r\nHost: 127.0.0.1:{self.host[1]}\r\n\r\n".encode())
        reader = self.connection.makefile("rb")
        status = reader.readline()
        head = {}
        while line := reader.readline().strip():
            name, value = line.decode().split(":", 1)
            head[name.lower()] = value.strip()
        if b" 200 " not in status:
            raise SystemExit(f"{path}: {status}")
        if "content-length" in head:
            return reader.read(int(head["content-length"]))
        parts = []
        while size := int(reader.readline(), 16):
            parts.append(reader.read(size))
            reader.readline()
        reader.readline()
        return b"".join(parts)

    def begin(self, path):
        """The lines of an answer that comes in parts, on a connection of its own."""
        connection = socket.create_connection(self.host)
        connection.sendall(f"GET {self.root}api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.host[1]}\r\n\r\n".encode())
        return connection.makefile("rb")

    def timed(self, path, **parameters):
        began = time.monotonic()
        body = self.ask(path, **parameters)
        return (time.monotonic() - began) * 1_000, body

    def since(self):
        return (time.monotonic() - self.began) * 1_000

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) * 1024

    def picture(self, trace, start, span):
        """The tiles of a picture, as the page asks for them."""
        level = max(0, int(max(span / WIDTH, 1)).bit_length() - 1) // 2
        width = 4**level * 256
        first, last = int(max(start, 0) // width), int(min(start + span, trace["ticks"]) // width)
        lanes = f"0-{min(len(trace['lanes']), LANES) - 1}"
        return self.timed("tiles", level=level, first=first, count=last - first + 1, lanes=lanes)


def p95(times):
    return sorted(times)[int(len(times) * 0.95)]


def main():
    command, file = sys.argv[1:]
    random.seed(22)
    server = Server(command, file)
    try:
        figures = {}
        trace = json.loads(server.ask("trace"))
        server.picture(trace, 0, trace["ticks"])
        figures["estimate"] = server.since()
        # Another connection waits for the order of lanes, which is known after the counts.
        waiting = server.begin("pyramid")
        while b"event: row" not in (line := waiting.readline()) and line and b"event: done" not in line:
            pass
        trace = json.loads(server.ask("trace"))
        server.picture(trace, 0, trace["ticks"])
        figures["exact"] = server.since()
        # What work goes on for long is known last.
        waiting = server.begin("pyramid")
        while b'"ordered":true' not in (line := waiting.readline()) and line and b"event: done" not in line:
            pass
        figures["ordered"] = server.since()
        server.ask("pyramid")
        figures["whole"] = server.since()
        trace = json.loads(server.ask("trace"))
        # From the whole to a few ticks, about a moment that is drawn for each way down.
        times = []
        while len(times) < STEPS:
            at, span = random.random() * trace["ticks"], trace["ticks"]
            while span > 2_000 and len(times) < STEPS:
                times.append(server.picture(trace, at - span / 2, span)[0])
                span /= 1.6
        figures["zoom"], figures["zoomWorst"] = p95(times), max(times)
        times = []
        for _ in range(WHYS):
            at = random.random() * 0.9 * trace["ticks"]
            events = json.loads(server.ask("events", **{"from": int(at), "to": trace["ticks"], "limit": 1}))["events"]
            times.append(server.timed("why", event=events[0]["event"])[0])
        figures["why"] = p95(times)
        part = min(1, RANGE / max(1, trace["events"])) * trace["ticks"]
        start = (trace["ticks"] - part) / 2
        figures["range"], body = server.timed("statistics", **{"from": int(start), "to": int(start + part)})
        figures["rangeEvents"] = json.loads(body.split(b"event: done\ndata: ")[1].split(b"\n")[0])["count"]
        figures["memory"] = server.memory()
        if trace["events"] <= RANGE:
            figures["findings"], _ = server.timed("findings")
            figures["memoryWithFindings"] = server.memory()
        figures["load"] = os.getloadavg()[0]
        print(json.dumps(figures))
    finally:
        server.process.terminate()
        server.process.wait(10)


if __name__ == "__main__":
    main()
