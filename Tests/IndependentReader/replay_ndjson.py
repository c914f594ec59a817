#!/usr/bin/env python3
"""Prints the events of a trace as `varve replay --format ndjson` does, byte for byte.

    replay_ndjson.py FILE      with FILE-live, its sidecar, if there is one

Written from Docs/Format.md, sections 9, 12 and 13, with the standard library alone. The recorded
program has ended: a sidecar that changes while it is read would take more care.
"""

import codecs
import os
import struct
import sys

from read_sidecar import read_sidecar
from read_trace import number, read_trace

KINDS = (
    "assembled subscribed ended value failed completed interrupted absorbed hopScheduled hopBegan "
    "hopEnded hopCancelled log mark skipped sent waitBegan waitEnded read "
    "taskCreated taskCancelled taskFailed taskFailureRead hopSampled errorThrown"
).split()
HOPS = range(9, 13)
# What happens to the task with the number in the subscription.
TASK_KINDS = (20, 21, 22, 23, 25)
TYPES = {
    1: "unit", 2: "nil", 3: "integer", 4: "unsigned", 5: "real", 6: "boolean", 7: "string",
    8: "bytes", 9: "description", 10: "type", 11: "withheld", 12: "stream",
    15: "task", 16: "task", 17: "task",
}
ENDS = "completed failed interrupted disposed released".split()
ABSORPTIONS = (
    "filtered repeated superseded notSampled pastLimit nobodyAttached gathered ended control".split()
)
WAITS = "outcome delivery change".split()
# By record kind, the names of the reasons that it can have.
REASONS = {3: ENDS, 8: ABSORPTIONS, 17: WAITS, 18: WAITS}
ABSENT, REASON, ORIGIN = 0, 13, 14
# The task that runs, what a task awaits, and who made it.
TASK, AWAITED, MADE = 15, 16, 17
AWAITS = "unknown task continuation group actor ended".split()
FAR = 0xFFFFFFFF
# The bits of a ring's id that are its number in its recording.
RINGS = 0xFFFFFF

codecs.register_error("each", lambda error: ("\ufffd" * (error.end - error.start), error.end))

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
# Controls, line separators, what turns the direction of writing, and what is never seen.
DANGEROUS = {0xAD, 0x34F, 0x61C, 0x3164, 0xFEFF, 0xFFA0}.union(
    range(0x20), range(0x7F, 0xA0), range(0x115F, 0x1161), range(0x17B4, 0x17B6),
    range(0x180B, 0x1810), range(0x200B, 0x2010), range(0x2028, 0x202F), range(0x2060, 0x2070),
    range(0xFFF9, 0xFFFC), range(0xE0000, 0xE1000),
)
LOSSES = "noRoom notKept notDefined damaged".split()


def quoted(text):
    def escape(character):
        if character in ESCAPES:
            return ESCAPES[character]
        if ord(character) not in DANGEROUS:
            return character
        units = struct.unpack(f">{len(character.encode('utf-16-be')) // 2}H", character.encode("utf-16-be"))
        return "".join(f"\\u{unit:04x}" for unit in units)

    return '"' + "".join(escape(character) for character in text) + '"'


def named(names, number, otherwise):
    return names[number - 1] if 1 <= number <= len(names) else f"{otherwise}{number}"


def thread(ring):
    return f"{ring >> 24}:{ring & RINGS}" if ring >> 24 else str(ring)


def called(ring, sequence):
    return f'"{thread(ring)}.{sequence}"'


def plain(name):
    of_pool = name.startswith(("com.apple.root", "DispatchWorker")) or name.endswith(
        ("-qos", "overcommit"))
    return "worker" if of_pool or "-qos." in name else name


class Events:
    """Collects what the lines need."""

    def __init__(self):
        self.events, self.streams, self.schedulers, self.threads = [], {}, {}, {}
        # The names of task templates, and the templates of tasks.
        self.task_templates, self.made = {}, {}
        # The tasks of runs, by the events with which these began.
        self.runs = {}
        # Of the threads that nothing defines.
        self.owners = {}
        self.anchors, self.last = [], {}
        self.losses, self.last_ticks, self.not_kept = {}, {}, {}
        self.gaps = []

    def fact(self, *fields):
        pass

    def header(self, clock, pid, rate, anchor_ticks, anchor_monotonic, started):
        self.clock, self.pid, self.rate = clock, pid, rate
        self.start = (anchor_ticks, anchor_monotonic)

    def event(self, event):
        # The sidecar comes last, and holds some of the file's events, too.
        last = self.last.get(event.ring, 0)
        if event.sequence > last:
            if last and event.sequence > last + 1:
                begin = min(self.last_ticks[event.ring], event.tick)
                self.gaps.append((event.ring, event.sequence - last - 1, begin, event.tick))
            self.events.append(event)
            if event.kind == 20 and event.payload == MADE:
                self.made[event.subscription] = event.word & 0xFFFFF
            if event.kind == 10 and event.payload == TASK:
                self.runs[event.ring, event.sequence] = event.word >> 8
            self.last[event.ring] = event.sequence
            self.last_ticks[event.ring] = event.tick

    def stream(self, identifier, name, operation):
        self.streams[identifier] = (name, operation)

    def scheduler(self, identifier, name):
        self.schedulers[identifier] = name

    def task_template(self, identifier, name):
        self.task_templates[identifier] = name

    def thread(self, ring, system_id, name):
        self.threads[ring] = (system_id, name)

    def owner(self, ring, system_id, name):
        self.owners.setdefault(ring, (system_id, name))

    def anchor(self, ticks, monotonic):
        self.anchors.append((ticks, monotonic))

    def loss(self, ring, reason, count, first, last):
        reason = reason if reason < len(LOSSES) else 0
        key = (first, ring, reason)
        if key not in self.losses or self.losses[key][0] < count:
            self.losses[key] = (count, last)
        if reason == 1:
            self.not_kept[ring] = max(self.not_kept.get(ring, 0), last)

    def records(self, ring, told, sequence, tick):
        """A ring's records, from this sequence on; those before it were reported up to `told`."""
        known = max(told, self.last.get(ring, 0))
        if sequence - known > 1:
            until = max(self.last_ticks.get(ring, 0), self.not_kept.get(ring, 0), self.start[0])
            self.loss(ring, 1, sequence - 1 - known, min(until + 1, tick - 1), tick - 1)

    # What the sidecar adds, section 12

    def add_sidecar(self):
        self.threads = {**self.owners, **self.threads}

    # Time, section 9

    def prepare(self):
        self.add_sidecar()
        told = list(self.losses.items())
        for ring, count, begin, end in self.gaps:
            for (first, other, reason), (lost, last) in told:
                if other == ring and reason != 2 and first <= end and last >= begin:
                    count -= min(lost, count)
            if count:
                self.loss(ring, 3, count, begin, end)
        self.sound = [self.start]
        for anchor in sorted(self.anchors, key=lambda anchor: anchor[0]):
            if anchor[0] > self.sound[-1][0] and anchor[1] > self.sound[-1][1]:
                self.sound.append(anchor)

    def time(self, tick):
        if self.clock != 3:
            return tick - self.start[0]
        first, last = self.sound[0], self.sound[-1]
        if len(self.sound) > 1:
            outer = (last[1] - first[1], last[0] - first[0])
        else:
            outer = (1_000_000_000, self.rate) if self.rate else (1, 1)
        before = [anchor for anchor in self.sound if anchor[0] <= tick]
        if not before:
            return (tick - first[0]) * outer[0] // outer[1]
        at = before[-1]
        rate = outer
        if at != last:
            after = self.sound[len(before)]
            rate = (after[1] - at[1], after[0] - at[0])
        return at[1] - first[1] + (tick - at[0]) * rate[0] // rate[1]

    # Lines, section 13

    def thread_name(self, ring):
        if ring not in self.threads:
            return f"ring {thread(ring)}"
        system_id, name = self.threads[ring]
        if system_id == self.pid:
            return "main"
        if not name:
            return f"thread {system_id}"
        name = plain(name)
        bearers = {system for system, other in self.threads.values() if plain(other) == name}
        return f"{name} {system_id}" if len(bearers) > 1 or name == "main" else name

    def causes(self, event):
        if event.back == 0:
            return []
        found = []
        if event.back != FAR and event.sequence > event.back:
            found.append((event.ring, event.sequence - event.back))
        found += [(event.ring & ~RINGS | ring, sequence) for ring, sequence in event.causes]
        return list(dict.fromkeys(found))

    def value(self, event):
        text = event.text.decode("utf-8", "each")
        if event.payload == 3:
            return str(event.word - (1 << 64) if event.word >> 63 else event.word)
        if event.payload == 4:
            return str(event.word)
        if event.payload == 12:
            return str(event.word & 0xFFFFFFFF)
        if event.payload == 5:
            real = struct.unpack("<d", struct.pack("<Q", event.word))[0]
            special = {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}
            return special.get(repr(real), repr(real))
        if event.payload == 6:
            return "true" if event.word else "false"
        if event.payload in (7, 9, 10):
            return quoted(text)
        if event.payload == 8:
            return '"' + event.text.hex() + '"'
        task = 0
        if event.payload == TASK:
            task = event.word >> 8
        elif event.payload == AWAITED and event.word >> 20 & 15 == 1:
            task = event.word >> 24
        elif event.payload == MADE:
            task = event.word >> 20
        return str(task) if task else "null"

    def value_type(self, payload):
        if payload in (ABSENT, REASON, ORIGIN):
            return "null"
        return quoted(TYPES.get(payload, f"unknown{payload}"))

    def reason(self, event):
        if event.payload == AWAITED:
            awaited = event.word >> 20 & 15
            return quoted(AWAITS[awaited] if awaited < len(AWAITS) else "unknown")
        if event.payload == REASON and event.kind in REASONS:
            names = REASONS[event.kind]
            # The upper half is a stack.
            word = event.word & 0xFFFFFFFF
            number = word & 0xFF
            return quoted(names[number - 1] if 1 <= number <= len(names) else f"reason{word}")
        return "null"

    def task_name(self, event):
        task = None
        if event.kind in TASK_KINDS:
            task = event.subscription
        elif event.kind == 10 and event.payload == TASK:
            task = event.word >> 8
        elif event.kind == 11 and event.payload == AWAITED:
            task = self.runs.get(next(iter(self.causes(event)), None))
        return self.task_templates.get(self.made.get(task))

    def line(self, event):
        is_hop = event.kind in HOPS
        name = operation = stream = scheduler = "null"
        if is_hop:
            default = f"scheduler {event.stream}"
            scheduler = quoted(self.schedulers.get(event.stream, default))
        elif event.stream != 0:
            stream = str(event.stream)
            if event.stream in self.streams:
                name, operation = (quoted(text) for text in self.streams[event.stream])
        causes = self.causes(event)
        pairs = [
            ("event", called(event.ring, event.sequence)),
            ("time_ns", str(self.time(event.tick))),
            ("thread", quoted(self.thread_name(event.ring))),
            ("name", name),
            ("stream", stream),
            ("operator", operation),
            ("subscription", str(event.subscription) if event.subscription else "null"),
            ("kind", quoted(named(KINDS, event.kind, "kind"))),
            ("value", self.value(event)),
            ("value_type", self.value_type(event.payload)),
        ]
        if event.payload in (7, 8, 9) and event.word > len(event.text):
            pairs += [("value_bytes", str(event.word)), ("truncated", "true")]
        pairs.append(("cause", called(*causes[0]) if causes else "null"))
        if len(causes) > 1:
            pairs.append(("causes", "[" + ",".join(called(*cause) for cause in causes) + "]"))
        pairs += [("scheduler", scheduler), ("reason", self.reason(event))]
        task_name = self.task_name(event)
        if task_name:
            pairs.append(("task_name", quoted(task_name)))
        return "{" + ",".join(f'"{key}":{value}' for key, value in pairs) + "}\n"


    def lost(self, key):
        first, ring, reason = key
        count, last = self.losses[key]
        begun, ended = str(self.time(first)), str(self.time(last))
        keys = "event time_ns thread name stream operator subscription kind value value_type cause"
        pairs = dict.fromkeys(keys.split() + ["scheduler"], "null")
        pairs |= {"time_ns": begun, "thread": quoted(self.thread_name(ring)), "kind": '"lost"'}
        pairs |= {"reason": quoted(LOSSES[reason]), "count": str(count)}
        pairs |= {"from_ns": begun, "to_ns": ended}
        return "{" + ",".join(f'"{key}":{value}' for key, value in pairs.items()) + "}\n"

    def lines(self):
        order = [((event.tick, 1, event.ring, event.sequence), self.line, event) for event in self.events]
        order += [((key[0], 0, *key[1:]), self.lost, key) for key in self.losses]
        for _, line, item in sorted(order, key=lambda entry: entry[0]):
            yield line(item)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def read_both(path, out):
    # The sidecar first, as what leaves it is in the file before; what it tells counts as later.
    sidecar = read(path + "-live") if os.path.exists(path + "-live") else b""
    file = read(path)
    read_trace(file, out)
    if sidecar[:8] != b"varvlive":
        return
    if number(sidecar, 8, 4) != 1:
        sys.exit("a later version wrote the sidecar")
    if sidecar[16:32] == file[16:32]:
        read_sidecar(sidecar, out)


if __name__ == "__main__":
    trace = Events()
    read_both(sys.argv[1], trace)
    trace.prepare()
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.writelines(trace.lines())
