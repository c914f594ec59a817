"""Copies of the tree in which something is changed, to be built beside it."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def tracked_files():
    """Everything that belongs to the tree, changes that are not committed included."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True)
    names = listed.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def write(path, content):
    """Writes a file unless it has this content: what is older than its product is not built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def make(copy, targets, changed):
    """Brings a copy to the state of the tree.

    copy: the folder.
    targets: those of the package that are left in.
    changed: the text of each file that differs from the tree's or is not in it.
    """
    wanted = {name: (ROOT / name).read_bytes() for name in tracked_files()}
    wanted.update({name: text.encode() for name, text in changed.items()})
    kept = ", ".join(f'"{target}"' for target in targets)
    wanted["Package.swift"] += (
        f"\npackage.targets.removeAll {{ ![{kept}].contains($0.name) }}\n"
        "package.products = []\npackage.dependencies = []\n").encode()
    for name, content in wanted.items():
        write(copy / name, content)
    for folder in ["Sources", "Tests"]:
        for path in list((copy / folder).rglob("*")):
            if path.is_file() and path.relative_to(copy).as_posix() not in wanted:
                path.unlink()


def kill_session(session):
    """Kills all programs of a session: those that started programs of their own are in no one group."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getsid(int(entry.name)) == session:
                os.kill(int(entry.name), 9)
        except ProcessLookupError:
            pass


def swift(copy, *arguments, seconds=None, **environment):
    """Runs swift in a copy; returns its status, None when it took too long, and what it printed."""
    variables = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **environment}
    variables.pop("VARVE_STRICT", None)
    process = subprocess.Popen(
        ["swift", *arguments], cwd=copy, env=variables, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        kill_session(process.pid)
        output, _ = process.communicate()
        return None, output
