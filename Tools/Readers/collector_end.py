"""The end of a collector, which answers as it is told at first, and keeps what it takes."""

import gzip
import http.server
import threading

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest, ExportTraceServiceResponse)


def start(answers):
    """Listens; returns the server, and a list that the requests go to once all answers are given."""
    received = []

    class End(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            status = answers.pop(0) if answers else 200
            said = b""
            if status == 200:
                request = ExportTraceServiceRequest()
                request.ParseFromString(gzip.decompress(body))
                received.append(request)
                said = ExportTraceServiceResponse().SerializeToString()
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), End)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, received
