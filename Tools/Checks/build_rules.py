"""The rules that compile something: each yields what breaks it, a line a place."""

import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_rules import PACKAGES, ROOT, files


def check_build():
    # At the same time: much of a build waits for one compiler, or for what is fetched.
    with ThreadPoolExecutor() as pool:
        for found in pool.map(build_package, PACKAGES):
            yield from found


def build_package(package):
    built = subprocess.run(
        ["swift", "build", "--build-tests"], cwd=ROOT / package, capture_output=True, text=True)
    if built.returncode == 0:
        return []
    output = (built.stdout + built.stderr).replace(f"{ROOT}/", "").splitlines()
    errors = [text for text in output if re.match(r"[^\s|].*\berror:", text)]
    return list(dict.fromkeys(errors)) or output[-20:]


def check_fuzzer():
    """The fuzzer is a package of its own: only its types are looked at, beside the modules."""
    modules = ROOT / ".build/debug"
    maps = [modules / "CVarveSystem.build/module.modulemap", ROOT / "Sources/CZlib/module.modulemap"]
    checked = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library",
         "-I", modules / "Modules",
         *[word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")],
         *files("Tools/Fuzz/Sources")],
        cwd=ROOT, capture_output=True, text=True)
    yield from checked.stderr.splitlines()


def check_references():
    """In release mode: without optimisation, counting is the compiler's."""
    build = ["swift", "build", "-c", "release", "--product", "AllocationChild"]
    built = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    if built.returncode != 0:
        yield from (built.stdout + built.stderr).splitlines()[-20:]
        return
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.run(
            [ROOT / ".build/release/AllocationChild", f"{folder}/run.varve"],
            capture_output=True, text=True, check=True)
    counted = dict(line.rsplit(" ", 1) for line in child.stdout.splitlines())
    if counted["references of control of references"] == "0":
        yield "nothing is counted"
    for name, count in counted.items():
        plain = name.removesuffix(", recorded")
        if name.startswith("references") and count != counted[plain]:
            yield f"{name}: {count}, {counted[plain]} unrecorded"


def check_vectors():
    """The split into byte planes is written so that compilers make vectors of it: whether they did.

    In the program that `check_references` has built."""
    program = ROOT / ".build/release/AllocationChild"
    beside = Path(shutil.which("swift")).resolve().parent
    symbols, disassembler = (
        shutil.which(name, path=beside) or shutil.which(name) for name in ("llvm-nm", "llvm-objdump"))
    if not symbols or not disassembler:
        yield "llvm-nm and llvm-objdump are neither beside swift nor on the path"
        return
    names = subprocess.run([symbols, program], capture_output=True, text=True, check=True).stdout
    splits = [
        line.split()[-1] for line in names.splitlines()
        if "PlaneEncoderC6append__5count2to" in line and "FixedWidthInteger" in line]
    if len(splits) < 2:
        yield "the split of words and of double words is not there"
    for split in splits:
        code = subprocess.run(
            [disassembler, "--no-show-raw-insn", f"--disassemble-symbols={split}", program],
            capture_output=True, text=True, check=True).stdout
        # Arithmetic of many numbers at once, on x86-64 or arm64, not what only moves them.
        if len(re.findall(r"\tv?p(?:and|srl|pack|unpck|shuf)|\t(?:uzp1|ushr|xtn)", code)) < 6:
            yield f"{split} has no vectors"
