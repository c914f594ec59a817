"""Prints how many lines of each file whose path matches the argument were reached, from the summary
that `llvm-cov export` writes; fails when less than nine tenths of all were."""

import json
import re
import sys
from pathlib import PurePath

LEAST = 90.0

wanted = re.compile(sys.argv[1])
rows = []
for entry in json.load(sys.stdin)["data"][0]["files"]:
    if wanted.search(entry["filename"]):
        lines = entry["summary"]["lines"]
        name = "/".join(PurePath(entry["filename"]).parts[-3:])
        rows.append((name, lines["covered"], lines["count"]))
for name, reached, count in sorted(rows):
    print(f"{100 * reached / max(count, 1):6.1f} %  {reached:5} of {count:5}  {name}")
reached = sum(row[1] for row in rows)
count = sum(row[2] for row in rows)
share = 100 * reached / max(count, 1)
print(f"{share:6.1f} %  {reached:5} of {count:5}  lines of the reader")
sys.exit(0 if share >= LEAST else 1)
