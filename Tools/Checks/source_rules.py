"""The rules of the source, which need no build: each yields what breaks it, a line a place."""

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST_FILE = 500
# By Tools/embed-page, from files that the rules are about.
WRITTEN = "Sources/VarvePage/Embedded/"

# What a module may import beside itself and the system's modules (Docs/Architecture.md).
MAY_IMPORT = {
    "CVarveSystem": [],
    "CZlib": [],
    "VarvePlatform": ["Darwin", "Glibc", "Musl"],
    "VarveMarbles": [],
    "VarvePage": [],
    "VarveProbe": ["CVarveSystem"],
    "VarveReactive": ["VarveProbe", "CVarveSystem", "VarvePlatform"],
    "VarveFormat": ["VarveProbe", "CVarveSystem", "CZlib", "VarvePlatform"],
    "VarveRecorder": ["VarveProbe", "VarveFormat", "CVarveSystem", "VarvePlatform"],
    "VarveAnalysis": ["VarveProbe", "VarveFormat", "VarvePlatform"],
    "VarveExport": [
        "VarveProbe", "VarveFormat", "VarveAnalysis", "VarveMarbles", "VarvePage", "VarvePlatform",
    ],
    "VarveTesting": ["VarveReactive", "VarveProbe", "VarveMarbles", "VarveAnalysis"],
    "VarveLogging": ["VarveReactive", "Logging"],
    "VarveTracing": ["VarveProbe", "VarveRecorder", "CVarveSystem"],
    "Varve": ["VarveReactive", "VarveRecorder"],
    "ReactiveSwiftCompatibility": [
        "VarveReactive", "Foundation", "FoundationNetworking", "Dispatch",
    ],
    "ReactiveCocoa2Compatibility": ["VarveReactive", "VarveProbe", "CVarveSystem"],
    "VarveHops": [],
    "VarveTasks": [],
    "PreloadedVarveTasks": [],
    "VarveGuestRecorder": ["VarveRecorder", "VarveReactive"],
    "CSQLite": [],
    "VarveCommand": [
        "VarveProbe", "VarveFormat", "VarveRecorder", "VarveAnalysis", "VarveExport",
        "VarveMarbles", "VarvePlatform", "CSQLite", "ArgumentParser", "NIOCore",
        "NIOHTTP1", "NIOPosix",
    ],
    "SearchDemo": ["Varve", "Foundation"],
    "DemoCases": ["Varve", "Dispatch", "Darwin", "Glibc", "Musl"],
    "weather": ["Varve"],
    "SearchDemoCommand": [
        "SearchDemo", "DemoCases", "Varve", "Foundation", "Dispatch", "Darwin", "Glibc", "Musl",
    ],
}

# What every module may import.
SYSTEM = {"Swift", "Synchronization", "Runtime"}

# What only files with these paths, or below these folders, may import, beside SYSTEM.
ONLY_IN = {
    "Dispatch": ("Sources/VarveReactive/Schedulers/", "Sources/VarveAnalysis/Query/ReadAhead.swift",
                 "Sources/VarveAnalysis/Query/Halves.swift",
                 "Sources/VarveExport/Output/WriteBehind.swift",
                 "Sources/VarveAnalysis/Query/EventSweep.swift"),
}

# Modules whose sources do not lie in Sources/<module>.
ELSEWHERE = {
    "Tools/varve/Sources/VarveCommand/": "VarveCommand",
    "Tools/SearchDemo/Cases/": "DemoCases",
    "Tools/SearchDemo/Command/": "SearchDemoCommand",
    "Tools/SearchDemo/Search/": "SearchDemo",
}

# The folders of the packages that are built and tested: the libraries', and the command's.
PACKAGES = [".", "Tools/varve"]
# What lies at the top, beside dot files and what is built or recorded there.
TOP = {"Package.swift", "README.md", "CHANGELOG.md", "Sources", "Tests", "Tools", "Docs"}

# Packages of their own below Tools: they import what users import.
OWN_PACKAGES = ["Tools/Benchmarks/", "Tools/Fuzz/"]

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|typealias|let|var)\s+)?(\w+)"
)
UNCHECKED = re.compile(
    r"@unchecked Sendable|(?:nonisolated|unowned)\(unsafe\)|@exclusivity\(unchecked\)")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|\btry!|\bas! ")
SOMEBODYS_PATH = re.compile(r"(?<![\w.])/(?:home|Users|root|work|farm|opt|mnt|srv)/\w")
# What asks an operator's label for what kind of stream it is: a comparison, a question to its text, a
# switch, or a literal that looks like one. Whether two streams bear the same label may be asked.
LABEL = r"[\w)\]]\??\.(?:operation|derivation)\b"
ASKED = r"(?:hasPrefix|hasSuffix|contains|starts|first|prefix|suffix|range|split|matches)\b"
LABEL_ASKED = re.compile(
    rf"\b(?:operation|derivation)\??\.{ASKED}|{LABEL} [=!~]=|[=!~]= [\w.?()]*{LABEL}"
    rf"|\b(?:switch|case|{ASKED}).*{LABEL}" r'|"\w+\([^"\\ ]*"')
SAME_LABEL = re.compile(r"\b\w+(?:\.stream)?\.operation == \w+(?:\.stream)?\.operation\b")
TARGET = re.compile(r"^\s*\.(?:target|executableTarget|systemLibrary|testTarget|plugin|macro)\(")


def files(*folders):
    """Every file below the folders, as a path relative to the root, build products aside."""
    for folder in folders:
        top = ROOT / folder
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            parts = path.relative_to(ROOT).parts
            if path.is_file() and not {".build", ".swiftpm", "__pycache__"} & set(parts):
                yield path.relative_to(ROOT).as_posix()


def lines(path):
    """The numbered lines of a text file; none of a binary one."""
    content = (ROOT / path).read_bytes()
    if b"\0" in content:
        return []
    return list(enumerate(content.decode("utf-8", errors="replace").splitlines(), 1))


def code():
    """Every file of code, the scripts in Tools included."""
    for path in files("Sources", "Tests", "Tools", ".ci", "Package.swift"):
        suffix = Path(path).suffix
        script = suffix == "" and any(text.startswith("#!") for _, text in lines(path)[:1])
        if suffix in {".swift", ".c", ".h", ".py", ".js"} or script:
            yield path


def swift_code():
    return [path for path in code() if path.endswith(".swift")]


def module_of(path):
    """The module that a source file belongs to; None when no rule is about it."""
    if any(path.startswith(prefix) for prefix in OWN_PACKAGES):
        return None
    for prefix, module in ELSEWHERE.items():
        if path.startswith(prefix):
            return module
    parts = path.split("/")
    return parts[1] if parts[0] == "Sources" and len(parts) > 2 else None


def check_format():
    found = subprocess.run(
        ["swift", "format", "lint", "--strict", "--parallel", *swift_code()],
        cwd=ROOT, capture_output=True, text=True)
    if found.returncode == 0:
        return
    yield from (found.stderr.replace(f"{ROOT}/", "").splitlines() or ["swift format failed"])


def check_imports():
    for path in swift_code():
        module = module_of(path)
        if module is None:
            continue
        if module not in MAY_IMPORT:
            yield f"{path}:1: module {module} has no row in the table of imports in Tools/check"
            continue
        for number, text in lines(path):
            match = IMPORT.match(text)
            if not match:
                continue
            imported = match.group(1)
            if imported in SYSTEM or imported in MAY_IMPORT[module]:
                continue
            if imported in ONLY_IN and path.startswith(ONLY_IN[imported]):
                continue
            where = f" outside {' and '.join(ONLY_IN[imported])}" if imported in ONLY_IN else ""
            yield f"{path}:{number}: {module} may not import {imported}{where}"


def check_dependencies():
    reexported = MAY_IMPORT["Varve"]
    for package in PACKAGES:
        manifest = (Path(package) / "Package.swift").as_posix()
        dump = subprocess.run(
            ["swift", "package", "dump-package"], cwd=ROOT / package, capture_output=True, text=True)
        if dump.returncode != 0:
            yield from dump.stderr.splitlines()
            continue
        for target in json.loads(dump.stdout)["targets"]:
            name = target["name"]
            path = (target.get("path") or "").removeprefix("library/")
            if target["type"] == "test" or path.startswith("Tests/"):
                continue
            if name not in MAY_IMPORT:
                yield f"{manifest}: {name} has no row in the table of imports in Tools/check"
                continue
            for dependency in target["dependencies"]:
                other = next(iter(dependency.values()))[0]
                allowed = MAY_IMPORT[name]
                if other not in allowed and not ("Varve" in allowed and other in reexported):
                    yield f"{manifest}: {name} may not depend on {other}"


def check_operators():
    for path in files("Sources/VarveReactive/Operators"):
        for number, text in lines(path):
            if re.search(r"Probe|\b(?:Records|Gate)\b", text):
                yield f"{path}:{number}: operators know nothing of recording: {text.strip()}"


def check_kinds():
    """What kind of stream it is says a stream's definition, in bits."""
    for path in files("Sources/VarveAnalysis", "Sources/VarveExport", "Tools/varve"):
        for number, text in lines(path) if path.endswith(".swift") else []:
            statement = text.split("//")[0]
            if LABEL_ASKED.search(statement) and not SAME_LABEL.search(statement):
                yield f"{path}:{number}: ask a stream's traits, not what it is called: {text.strip()}"


def check_length():
    for path in code():
        count = 0 if path.startswith(WRITTEN) else len(lines(path))
        if count > LONGEST_FILE:
            yield f"{path}:{LONGEST_FILE + 1}: {count} lines; divide it (at most {LONGEST_FILE})"


def check_names():
    """A file's name says by itself what is in it."""
    places = {}
    for path in files("Sources", "Tools/varve/Sources"):
        if Path(path).suffix in {".swift", ".c", ".h"}:
            places.setdefault(Path(path).name, []).append(path)
    for paths in places.values():
        for path in paths[1:]:
            yield f"{path}:1: {paths[0]} has the same name"


def check_sentences():
    for package in PACKAGES:
        manifest = (Path(package) / "Package.swift").as_posix()
        before = ""
        for number, text in lines(manifest):
            if TARGET.match(text) and not before.strip().startswith("//"):
                yield f"{manifest}:{number}: this target has no sentence above it"
            before = text


def check_safety():
    # Programs with bugs are written as anybody writes them.
    for path in swift_code():
        if path.startswith("Tests/Bugs/"):
            continue
        content = [text for _, text in lines(path)]
        for index, text in enumerate(content):
            claim = text.split("//")[0]
            nearby = content[max(0, index - 10) : index + 12]
            if UNCHECKED.search(claim) and not any("Safety:" in other for other in nearby):
                yield f"{path}:{index + 1}: say in a 'Safety:' comment why this holds"


def check_finished():
    for path in code():
        if path == "Tools/Checks/source_rules.py" or path.startswith("Tests/Bugs/"):
            continue
        for number, text in lines(path):
            if UNFINISHED.search(text):
                yield f"{path}:{number}: unfinished or unsafe: {text.strip()}"


def check_paths():
    for path in files("Sources", "Tests", "Tools", "Docs", ".ci", "Package.swift", "README.md"):
        for number, text in lines(path):
            if SOMEBODYS_PATH.search(text):
                yield f"{path}:{number}: a path of somebody's machine: {text.strip()}"


def check_top():
    for path in ROOT.iterdir():
        is_ours = path.name in TOP or path.name.startswith(".") or path.name == "Package.resolved"
        if not is_ours and path.suffix not in (".varve", ".varve-live"):
            yield f"{path.name}: at the top are {', '.join(sorted(TOP))} alone"


def check_documents():
    for path in files("README.md", "Docs"):
        for number, text in lines(path):
            for named in re.findall(r"\b(?:Sources|Tests|Tools|Docs)/[\w/.+-]*[\w+-]", text):
                if not (ROOT / named).exists():
                    yield f"{path}:{number}: there is no {named}"


def check_words():
    """Whole words of identifiers, singular or plural, but for what comments and literals say."""
    listed = (ROOT / "Tools/words-given-up").read_text().split()
    words = "|".join(f"[{word[0]}{word[0].lower()}]{word[1:]}" for word in listed)
    given_up = re.compile(rf"(?:(?<![A-Za-z])|(?<=[a-z0-9])(?=[A-Z]))(?:{words})s?(?![a-z])")
    for path in files("Sources", "Tools/varve/Sources"):
        if Path(path).suffix not in {".swift", ".c", ".h"} or path.startswith(WRITTEN):
            continue
        for number, text in lines(path):
            statement = re.sub(r'"(?:[^"\\]|\\.)*"', "", text.split("//")[0])
            if match := given_up.search(statement):
                yield f"{path}:{number}: a word that was given up: {match[0]}"


def check_mutants():
    """Each mutant changes a text of the sources: one that is not there any more shows nothing."""
    found = subprocess.run(
        ["Tools/Mutants/run", "--list"], cwd=ROOT, capture_output=True, text=True)
    yield from (text.strip() for text in found.stdout.splitlines() if "✗" in text)
    yield from found.stderr.splitlines()


def check_forms():
    """The forms that only repeat, and the page as Swift, are those that their scripts write."""
    for script in "Tools/forms", "Tools/embed-page":
        found = subprocess.run([script, "--check"], cwd=ROOT, capture_output=True, text=True)
        yield from (found.stdout + found.stderr).splitlines()
