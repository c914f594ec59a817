"""Runs the tests of both packages, after whatever set-up they need. Options go to `swift test`.

    Tools/test                       everything
    Tools/test --filter Signal       what has "Signal" in its name
    Tools/test --libraries           without the command's tests
    Tools/test --command             the command's tests alone

Both packages are built first; then their tests run side by side, which uses two cores better than one
run after the other does. What failed is named once more at the end, and the last line counts: `N
passed, N failed`. A run that hangs is ended, and the tests that were running are named: when none has
begun or ended for ten minutes, far longer than any takes (VARVE_TEST_PATIENCE says how many seconds
instead).
"""

import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = {"--libraries": ROOT, "--command": ROOT / "Tools/varve"}
PATIENCE = float(os.environ.get("VARVE_TEST_PATIENCE", 600))


# The options that choose tests: a build takes all others.
CHOICES = {"--filter", "--skip"}


class Run:
    """A run of one package's tests, by what the runner writes of it, a line of JSON for each event.

    What the runner prints passes through, or goes to a file.
    """

    def __init__(self, package, options, output=None):
        self.places = {}
        self.running = {}
        self.passed = 0
        self.failed = 0
        self.issues = {}
        self.failures = []
        self.has_ended = False
        self.heard = None
        self.rest = b""
        self.output = output
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "events"
        path.touch()
        self.events = open(path, "rb")
        self.process = subprocess.Popen(
            ["swift", "test", *options, "--event-stream-output-path", path,
             "--event-stream-version", "0"],
            cwd=package, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True)

    def hear(self, line):
        record = json.loads(line)
        told = record["payload"]
        self.heard = time.monotonic()
        if record["kind"] == "test" and told["kind"] == "function":
            where = told["sourceLocation"]
            name = told.get("displayName", told["name"])
            self.places[told["id"]] = f"{where['fileID']}:{where['line']}: {name}"
        elif told["kind"] == "testStarted" and told["testID"] in self.places:
            self.running[told["testID"]] = self.places[told["testID"]]
        elif told["kind"] == "issueRecorded" and not told["issue"].get("isKnown"):
            where = told["issue"].get("sourceLocation")
            place = f"{where['fileID']}:{where['line']}: " if where else ""
            texts = [message["text"] for message in told["messages"]]
            self.issues.setdefault(told.get("testID"), []).append(place + "; ".join(texts))
        elif told["kind"] == "testEnded" and self.running.pop(told["testID"], None):
            if told["messages"][0]["symbol"] == "fail":
                self.failed += 1
                self.failures.append(self.places[told["testID"]])
                self.failures += [f"    {issue}" for issue in self.issues.get(told["testID"], [])]
            else:
                self.passed += 1
        elif told["kind"] == "runEnded":
            self.has_ended = True

    def goes_on(self):
        """Reads what was written meanwhile; a run that hangs is ended."""
        is_over = self.process.poll() is not None
        *lines, self.rest = (self.rest + self.events.read()).split(b"\n")
        for line in lines:
            self.hear(line)
        if is_over or not self.heard or time.monotonic() - self.heard <= PATIENCE:
            return not is_over
        # `swift test` still holds some of what the runner printed: it may say that.
        kill_all_but(self.process.pid)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.name_running(f"nothing began or ended for {PATIENCE:.0f} s")
        self.has_ended = True
        return False

    def conclude(self):
        """Prints what was kept for later, and judges how the run ended."""
        if self.output:
            self.output.seek(0)
            sys.stdout.buffer.write(self.output.read())
            sys.stdout.flush()
        status = self.process.wait()
        if not self.has_ended:
            self.name_running(f"`swift test` ended with status {status} before the tests had")
        elif status != 0 and self.failed == 0:
            print(f"test: `swift test` ended with status {status}")
            self.failed = 1

    def close(self):
        """Leaves nothing running of what the run has started."""
        kill_all_but(self.process.pid)
        self.process.kill()
        self.events.close()
        self.folder.cleanup()

    def name_running(self, reason):
        """Says why the run is no good, and counts what was running, or the run, as failed."""
        print(f"test: {reason}; these tests were running:")
        for name in sorted(self.running.values()) or ["none"]:
            print(f"    {name}")
        self.failed += max(len(self.running), 1)


def processes():
    """The ids of all processes. Where there is /proc, `ps` may be missing."""
    if sys.platform != "darwin":
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    listed = subprocess.run(["ps", "-A", "-o", "pid="], capture_output=True, text=True, check=True)
    return [int(process) for process in listed.stdout.split()]


def kill_all_but(leader):
    """Kills what a process has started, in its session: tests start groups of their own."""
    for process in processes():
        try:
            if process != leader and os.getsid(process) == leader:
                os.kill(process, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def build(package, options):
    """Builds a package with its tests; says whether that went well."""
    rest = [
        option for before, option in zip([None, *options], options)
        if option not in CHOICES and before not in CHOICES]
    built = subprocess.run(
        ["swift", "build", "--build-tests", *rest], cwd=package, stdin=subprocess.DEVNULL)
    return built.returncode == 0


def test(packages, options):
    """Runs the tests of some packages, all at once; returns how many passed and failed."""
    if len(packages) > 1 and "--skip-build" not in options:
        if not all([build(package, options) for package in packages]):
            return 0, 1
        options = ["--skip-build", *options]
    runs = []
    try:
        for package in packages:
            runs.append(Run(package, options, tempfile.TemporaryFile() if runs else None))
        while any([run.goes_on() for run in runs]):
            time.sleep(0.2)
        for run in runs:
            run.conclude()
    finally:
        for run in runs:
            run.close()
    # A log of two thousand tests is long, and whoever keeps a part of it keeps its end.
    for failure in itertools.chain.from_iterable(run.failures for run in runs):
        print(failure)
    return sum(run.passed for run in runs), sum(run.failed for run in runs)


def main():
    sys.stdout.reconfigure(line_buffering=True)
    # Whoever ends this ends the tests, but for a terminal that was not to (nohup).
    for number in [signal.SIGTERM, signal.SIGHUP]:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: sys.exit(1))
    options = sys.argv[1:]
    if {"-h", "--help"} & set(options):
        print(__doc__)
        return 0
    chosen = [package for option, package in PACKAGES.items() if option in options]
    options = [option for option in options if option not in PACKAGES]
    passed, failed = test(chosen or list(PACKAGES.values()), options)
    # The closing line of both runners.
    print(f"{passed} passed, {failed} failed")
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
