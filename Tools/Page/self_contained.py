"""The page around a recording's data, without a server: made of what the command prints."""

import json
import subprocess
from pathlib import Path


def printed(command, *words):
    run = subprocess.run([command, *words], capture_output=True, text=True, check=True)
    return run.stdout


def lanes_of(streams, events):
    """Streams in the order of the flow, then schedulers and threads; and the lane of each."""
    children, order, numbers = {}, [], {}
    for stream in streams:
        for parent in stream["parents"]:
            children.setdefault(parent, []).append(stream)

    def visit(stream, depth):
        waiting = [(stream, depth)]
        while waiting:
            stream, depth = waiting.pop()
            if stream["stream"] in numbers:
                continue
            numbers[stream["stream"]] = len(order)
            order.append((stream, depth))
            waiting += [(child, depth + 1) for child in reversed(children.get(stream["stream"], []))]

    for stream in [one for one in streams if not one["parents"]] + streams:
        visit(stream, 0)
    lanes = [{
        "lane": number, "kind": "stream", "id": stream["stream"], "name": stream["name"],
        "label": stream["name"], "operator": stream["operator"], "place": stream["place"],
        "type": stream["value_type"], "parents": [numbers[one] for one in stream["parents"] if one in numbers],
        "depth": depth, "group": None, "numeric": stream["value_type"] in ("Swift.Int", "Swift.Double"),
        "first": stream["first_ns"], "last": stream["last_ns"],
        **{key: stream[key] for key in
           ("subscriptions", "values", "failed", "completed", "interrupted", "open")},
    } for number, (stream, depth) in enumerate(order)]
    for kind in "scheduler", "thread":
        for name in dict.fromkeys(event[kind] for event in events if event[kind]):
            numbers[kind, name] = len(lanes)
            lanes.append({"lane": len(lanes), "kind": kind, "id": name, "name": name, "label": name,
                          "parents": [], "depth": 0, "group": None, "first": None, "last": None})
    return lanes, numbers


def slices_of(events, numbers):
    """Work on schedulers and threads, from the three events of each hop."""
    scheduled, began, slices = {}, {}, []

    def add(lane, first, last, label, state, end):
        slices.append({"lane": lane, "from": first["time_ns"], "to": last["time_ns"], "label": label,
                       "event": first["event"], "state": state, "end": end})

    for event in events:
        hop = event["subscription"]
        if event["kind"] == "hopScheduled":
            scheduled[hop] = event
        elif event["kind"] == "hopBegan":
            began[hop] = event
            if hop in scheduled and scheduled[hop]["scheduler"]:
                name = scheduled[hop]["scheduler"]
                add(numbers["scheduler", name], scheduled[hop], event, name, "queued", None)
        elif event["kind"] == "hopEnded" and hop in began:
            name = scheduled.get(hop, began[hop])["scheduler"]
            if name:
                add(numbers["scheduler", name], began[hop], event, name, "runs", "completed")
            add(numbers["thread", began[hop]["thread"]], began[hop], event, name or "work", "runs", "completed")
    return slices


def data_of(command, trace):
    """What the page reads, of a trace."""
    about = json.loads(printed(command, "info", "--format", "json", trace))
    streams = json.loads(printed(command, "streams", "--format", "json", trace))
    events = [json.loads(line) for line in
              printed(command, "replay", trace, "--format", "ndjson").splitlines()]
    lanes, numbers = lanes_of(streams, events)

    def lane(event):
        if event["stream"] in numbers:
            return numbers[event["stream"]]
        if event["scheduler"]:
            return numbers["scheduler", event["scheduler"]]
        return numbers.get(("thread", event["thread"]))

    length = max(about["duration_ns"], events[-1]["time_ns"] + 1 if events else 1)
    ended = {"clean": "clean", "running": "running", "killed": "killed"}.get(about["ended"], "crashed")
    result = {
        "trace": {
            "files": [Path(trace).name], "program": about["program"], "pid": about["pid"],
            "host": about["host"], "started": about["started"], "ended": ended,
            "signal": about["signal"], "ticks": length, "clock": [[0, 0], [length, length]],
            "events": len(events), "exact": True, "generation": 1, "lanes": lanes, "losses": [],
            "damage": [], "warnings": [],
        },
        "events": [{
            "event": event["event"], "tick": event["time_ns"], "lane": lane(event),
            "kind": event["kind"], "value": event["value"], "type": event["value_type"],
            "thread": event["thread"], "subscription": event["subscription"],
            "reason": event["reason"], "scheduler": event["scheduler"],
            "causes": event.get("causes") or ([event["cause"]] if event["cause"] else []),
        } for event in events],
        "slices": slices_of(events, numbers), "findings": [],
    }
    if ended == "crashed":
        result["postmortem"] = {"text": printed(command, "postmortem", trace, "--color", "never")}
    return result


def write(path, data, frame):
    """Writes a page as one file: that of a trace, which the command wrote to `frame`, with other data."""
    before, rest = Path(frame).read_text().split('id="varve-data">', 1)
    after = rest[rest.index("</script>"):]
    json_text = json.dumps(data).replace("<", "\\u003c")
    Path(path).write_text(f'{before}id="varve-data">{json_text}{after}')
