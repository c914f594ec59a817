"""A receiver of OpenTelemetry that others have written, Arize Phoenix, as its users run it."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

PACKAGE = "arize-phoenix==20.26.1"
# It keeps what it takes some time after it has taken it. To reach a limit means that it hangs.
PATIENCE = 300
PAGE = 1_000


def install(place):
    """Makes an environment of its own, as it needs other versions than the other readers; returns
    the server, or None if it cannot be had."""
    server = Path(place) / "bin/phoenix"
    if server.exists():
        return server
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    for words in ([sys.executable, "-m", "venv", place],
                  [Path(place) / "bin/pip", "install", "-q", PACKAGE]):
        if subprocess.run(words, **quiet).returncode != 0:
            return None
    return server


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def get(url):
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)


@contextlib.contextmanager
def run(server, folder):
    """Runs the server with an empty memory; yields its address."""
    port, other = free_ports(2)
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [server, "serve"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={
            **os.environ, "PHOENIX_WORKING_DIR": str(folder), "PHOENIX_HOST": "127.0.0.1",
            "PHOENIX_PORT": str(port), "PHOENIX_GRPC_PORT": str(other),
            "PHOENIX_TELEMETRY_ENABLED": "false"})
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                get(f"{url}/v1/projects")
                break
            except (urllib.error.URLError, ConnectionError):
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("the receiver does not answer") from None
                time.sleep(0.5)
        yield url
    finally:
        process.kill()
        process.wait()


def spans(url, count):
    """Returns the spans that it has kept, as soon as there are so many."""
    end = time.monotonic() + PATIENCE
    while True:
        kept, cursor = [], ""
        while cursor is not None:
            page = get(f"{url}/v1/projects/default/spans?limit={PAGE}{cursor}")
            kept += page["data"]
            cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
        if len(kept) >= count or time.monotonic() > end:
            return kept
        time.sleep(0.5)
