"""Recordings that nobody makes on purpose, as the page reads them."""

import copy

HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\u202egnp.exe\u202c",
           "${alert(3)}", "'\"><svg onload=alert(4)>", "__proto__", "\u0000\u0007", "𝕏" * 1000]


def hostile(data):
    """A recording whose every text wants to be more than text."""
    data = copy.deepcopy(data)
    for number, lane in enumerate(data["trace"]["lanes"]):
        lane["name"] = lane["label"] = lane["place"] = lane["operator"] = HOSTILE[number % len(HOSTILE)]
        lane["process"] = HOSTILE[number % 3]
    for number, event in enumerate(data["events"]):
        event["value"] = event["thread"] = event["reason"] = event["type"] = HOSTILE[number % len(HOSTILE)]
    data["events"][5]["value"] = "<b>" + "x" * 1_000_000
    data["trace"].update(files=HOSTILE, program=HOSTILE[0], host=HOSTILE[1], warnings=HOSTILE)
    data["findings"] = [{"title": text, "text": text, "severity": text, "place": text, "command": text} for text in HOSTILE]
    data["slices"] = [{**one, "label": HOSTILE[index % len(HOSTILE)], "samples": [[one["from"], one["event"], index % 9, True]]}
                      for index, one in enumerate(data["slices"])]
    data["lines"] = {str(number): {"place": text, "function": text} for number, text in enumerate(HOSTILE)}
    return data


def crowded(lanes=200, events=300_000):
    """Many events in many lanes: what cannot be drawn one by one."""
    length, seed, made = 10_000_000_000, 1, []
    for number in range(events):
        seed = (seed * 1103515245 + 12345) % 2**31
        made.append({"event": f"1.{number}", "tick": number * (length // events), "lane": seed % 997 * lanes // 997,
                     "kind": "failed" if seed % 1013 == 0 else "value", "value": str(seed % 100),
                     "thread": "main", "causes": []})
    every = [{"lane": lane, "kind": "stream", "id": lane, "name": f"stream {lane}", "label": f"stream {lane}", "parents": [],
              "depth": 0, "group": None, "operator": "map", "first": 0, "last": length, "values": 1} for lane in range(lanes)]
    return {"trace": {"files": ["crowded.varve"], "ended": "clean", "ticks": length, "clock": [[0, 0], [length, length]],
                      "events": events, "exact": True, "generation": 1, "lanes": every}, "events": made}


def with_tasks(data):
    """A recording with tasks: one waits for the other, which is never resumed; and events were lost."""
    data = copy.deepcopy(data)
    trace, length = data["trace"], data["trace"]["ticks"]
    first = len(trace["lanes"])
    for index, (name, phase) in enumerate([("task 1", "suspended: awaits task 2"), ("task 2 fetch", "suspended: awaits a continuation")]):
        trace["lanes"].append({"lane": first + index, "kind": "task", "id": index + 1, "name": name, "label": name, "operator": "task",
                               "phase": phase, "parents": [first] * index, "depth": index, "group": None, "first": 0, "last": length})

    def slice_of(lane, begin, end, state, label="", **more):
        data["slices"].append({"lane": first + lane, "from": int(begin * length), "to": None if end is None else int(end * length), "label": label,
                               "event": data["events"][0]["event"], "state": state, "end": None, **more})

    slice_of(0, 0.1, 0.3, "runs", "main")
    slice_of(0, 0.3, None, "waits", "awaits task 2")
    slice_of(1, 0.2, 0.35, "queued", by=first)
    # It was looked at three times, at two lines.
    samples = [[int(at * length), data["events"][0]["event"], stack, waits] for at, stack, waits in ((0.38, 7, True), (0.4, 7, True), (0.45, 8, False))]
    slice_of(1, 0.35, 0.5, "runs", "worker", samples=samples)
    data["lines"] = {"7": {"place": "Shop.swift:12", "function": "buy()"}, "8": {"place": "Shop.swift:20", "function": "pay()"}}
    slice_of(1, 0.5, None, "waits", "awaits a continuation")
    thread = next(lane["lane"] for lane in trace["lanes"] if lane["kind"] == "thread")
    trace["losses"] = [{"thread": "main", "lane": thread, "count": 1234, "from": length // 2, "to": length * 7 // 10}]
    trace["damage"] = [{"from": length * 8 // 10, "to": length * 82 // 100}]
    return data
