"""Readers of OpenTelemetry's format: its own classes, and a server that others have written."""

import json
import tempfile

import receiver
from kit import RECEIVER, NotRun, differ, package


def spans_of(document):
    """The spans of a document in JSON, whatever process they are of."""
    return [span for resource in document["resourceSpans"] for scope in resource["scopeSpans"]
            for span in scope["spans"]]


def strangers(trace, resource_spans):
    """The spans that are of another process than their resource says, in a merged trace."""
    wrong = []
    threads = {event["event"]: event["thread"] for event in trace.events}
    for resource in resource_spans if trace.processes else []:
        values = {a.key: a.value for a in resource.resource.attributes}
        name, pid = values["service.name"].string_value, values["process.pid"].int_value
        for span in resource.scope_spans[0].spans:
            event = next(a.value.string_value for a in span.attributes if a.key == "varve.event")
            if not threads[event].startswith(f"{name}[{pid}] "):
                wrong.append(f"{event} of {threads[event]}: {name}, {pid}")
    return wrong[:2]


def opentelemetry(trace):
    package("opentelemetry.proto")
    import base64
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    document = json.loads(trace.export("otlp").read_text())
    spans = spans_of(document)
    # The generic reader of protobuf takes bytes as base64; OTLP has hexadecimal ids.
    for part in spans + [link for span in spans for link in span.get("links", [])]:
        for key in ("traceId", "spanId", "parentSpanId"):
            if key in part:
                part[key] = base64.b64encode(bytes.fromhex(part[key])).decode()
    request = json_format.Parse(json.dumps(document), ExportTraceServiceRequest())
    spans = [span for part in request.resource_spans for span in part.scope_spans[0].spans]
    wrong = differ("different spans", len({span.span_id for span in spans}), len(spans))
    wrong += strangers(trace, request.resource_spans)
    by_id = {span.span_id: span for span in spans}
    text = lambda attributes: {a.key: a.value.string_value for a in attributes}
    kept = [text(event.attributes)["varve.event"] for span in spans for event in span.events]
    starts = [text(span.attributes).get("varve.event") for span in spans]
    kinds = ("hopBegan", "subscribed", "hopEnded", "ended")
    others = {event["event"] for event in trace.events if event["kind"] not in kinds}
    wrong += differ("events twice", len(kept) - len(set(kept)), 0)
    wrong += differ("events left out", sorted(others - set(kept))[:5], [])
    begun = {e["event"] for e in trace.events if e["kind"] in ("hopBegan", "subscribed")}
    wrong += differ("spans left out", sorted(begun - set(starts))[:5], [])
    for span in spans:
        parent = by_id.get(span.parent_span_id)
        if span.parent_span_id and (not parent or parent.trace_id != span.trace_id):
            wrong.append(f"{span.name}: its parent is not in its trace")
        if any(link.span_id not in by_id for link in span.links):
            wrong.append(f"{span.name}: a link leads nowhere")
        if span.end_time_unix_nano < span.start_time_unix_nano:
            wrong.append(f"{span.name}: it ends before it begins")
    # As many traces as events without a cause began a span.
    roots = [span for span in spans if not span.parent_span_id]
    return (wrong + differ("traces", len({span.trace_id for span in spans}), len(roots)))[:8]


def collector(trace):
    """OpenTelemetry's own classes read what is sent, behind an end that first asks to wait."""
    package("opentelemetry.proto")
    import collector_end
    server, received = collector_end.start([429, 503])
    trace.varve(
        "export", "--format", "otlp", "--otlp", f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    document = json.loads(trace.export("otlp").read_text())
    expected = spans_of(document)
    spans = [span for request in received for resource in request.resource_spans
             for scope in resource.scope_spans for span in scope.spans]
    pids = {attribute.value.int_value for request in received for resource in request.resource_spans
            for attribute in resource.resource.attributes if attribute.key == "process.pid"}
    wrong = differ("processes", len(pids), len(trace.processes) or 1)
    wrong += differ("spans", len(spans), len(expected))
    wrong += [text for request in received for text in strangers(trace, request.resource_spans)]
    # A request has the spans of each process together.
    spans.sort(key=lambda span: span.span_id)
    expected.sort(key=lambda span: span["spanId"])
    for span, other in zip(spans, expected):
        found = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex(), span.name,
                 str(span.start_time_unix_nano), len(span.events), len(span.links))
        keys = ("traceId", "spanId", "parentSpanId", "name", "startTimeUnixNano")
        wrong += differ("span", found, tuple(other.get(key, "") for key in keys)
                        + (len(other["events"]), len(other["links"])))
    return wrong[:3]


def phoenix(trace):
    """A server that others have written takes what is sent, and answers what it has kept."""
    server = receiver.install(RECEIVER)
    if not server:
        raise NotRun(f"{receiver.PACKAGE} cannot be installed")
    document = json.loads(trace.export("otlp").read_text())
    expected = spans_of(document)
    with tempfile.TemporaryDirectory() as folder, receiver.run(server, folder) as url:
        trace.varve("export", "--format", "otlp", "--otlp", url)
        kept = receiver.spans(url, len(expected))
    wrong = differ("spans", len(kept), len(expected))
    found = sorted(
        (span["context"]["trace_id"], span["context"]["span_id"], span["parent_id"] or "",
         span["name"], [event["attributes"].get("varve.event") for event in span["events"]])
        for span in kept)
    text = lambda event: {a["key"]: a["value"] for a in event["attributes"]}
    sent = sorted(
        (span["traceId"], span["spanId"], span.get("parentSpanId", ""), span["name"],
         [text(event)["varve.event"]["stringValue"] for event in span["events"]])
        for span in expected)
    for one, other in zip(found, sent):
        wrong += differ("span", one, other)
    return wrong[:3]
