"""What the readers share: their programs and packages, the trace, and how they say what is wrong."""

import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / ".build/readers"
RECEIVER = ROOT / ".build/receiver"
# Our own part of a reader runs in an environment with the packages that it needs.
PACKAGES = {
    "viztracer": "viztracer==1.1.1", "pyarrow": "pyarrow==26.0.1", "duckdb": "duckdb==2.0.0",
    "gprof2dot": "gprof2dot==2025.4.14",
    "opentelemetry.proto": "opentelemetry-proto==1.45.2", "chdb": "chdb==4.4.0",
    "playwright": "playwright==1.56.0",
}
PROGRAMS = {"node": "nodejs", "babeltrace2": "babeltrace2", "dot": "graphviz", "sqlite3": "sqlite3",
            "chromium": "chromium"}


class NotRun(Exception):
    """What is missing."""


def program(name):
    """Returns the path of a program, which it installs if it can."""
    if not shutil.which(name) and shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        install = ["apt-get", "install", "--yes", "-qq", PROGRAMS[name]]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if subprocess.run(install, env=environment, **quiet).returncode != 0:
            subprocess.run(["apt-get", "update", "-qq"], **quiet)
            subprocess.run(install, env=environment, **quiet)
    found = shutil.which(name)
    if not found:
        raise NotRun(f"there is no {name}")
    return found


def package(name):
    """Returns the folder of a package of Python, which it installs if it can."""
    if str(PLACE) not in sys.path:
        sys.path.insert(0, str(PLACE))
    importlib.invalidate_caches()
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        found = None
    if not found:
        installed = subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--target", PLACE, "--upgrade",
             PACKAGES[name]],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if installed.returncode != 0:
            raise NotRun(f"{PACKAGES[name]} cannot be installed")
        importlib.invalidate_caches()
        found = importlib.util.find_spec(name)
    return Path(found.origin or next(iter(found.submodule_search_locations))).parent


class Trace:
    """A trace, the command that exports it, and what it contains according to NDJSON."""

    def __init__(self, command, path, folder):
        self.command, self.path, self.folder = command, path, folder
        lines = self.varve("export", "--format", "ndjson").splitlines()
        rows = [json.loads(line) for line in lines]
        self.events = [row for row in rows if row["kind"] != "lost"]
        text = self.varve("streams", "--format", "ndjson")
        self.streams = [json.loads(line) for line in text.splitlines()]
        # The processes of a merged trace, which the names of its threads begin with.
        threads = {event["thread"] for event in self.events if ":" in event["event"]}
        found = (re.match(r"(.*)\[(\d+)\] ", thread) for thread in threads)
        self.processes = sorted({(one[1], int(one[2])) for one in found if one})

    def varve(self, verb, *options):
        run = subprocess.run(
            [self.command, verb, self.path, "-q", *options], stdout=subprocess.PIPE, text=True)
        # 4: the trace is damaged, and what is intact was written.
        if run.returncode not in (0, 4):
            raise subprocess.CalledProcessError(run.returncode, run.args)
        return run.stdout

    def export(self, form, *options):
        """Exports the trace; returns the file."""
        target = self.folder / f"out.{form}"
        self.varve("export", "--format", form, "-o", target, *options)
        return target

    def count(self, *kinds):
        return sum(event["kind"] in kinds for event in self.events)


def differ(what, found, expected):
    return [] if found == expected else [f"{what}: {found} instead of {expected}"]
