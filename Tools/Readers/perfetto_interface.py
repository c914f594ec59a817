"""Opens a trace in Perfetto's own interface, in a browser without a network, and prints what went wrong.

    perfetto_interface.py BUNDLE TRACE PICTURE TEXT…

BUNDLE is the folder of the interface, PICTURE is written, and each TEXT must be on the page once all
groups of tracks are open.
"""

import functools
import http.server
import sys
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

BUNDLE, TRACE, PICTURE, *TEXTS = sys.argv[1:]
CHROMIUM = "/usr/bin/chromium"


class Files(http.server.SimpleHTTPRequestHandler):
    """The interface, and the trace beside it."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.partition("?")[0] != "/the-trace":
            return super().do_GET()
        content = Path(TRACE).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main():
    handler = functools.partial(Files, directory=BUNDLE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    own = f"http://127.0.0.1:{server.server_port}"
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1600, "height": 1200})
        page.on("pageerror", lambda error: wrong.append(f"error in the page: {error}"))
        # What the interface asks of other machines is refused, as it would be without a network.
        page.route("**/*", lambda route: route.continue_()
                   if route.request.url.startswith((own, "blob:", "data:")) else route.abort())
        page.goto(f"{own}/index.html#!/?url={own}/the-trace")
        closed = page.locator(".pf-track__header").filter(
            has_text="expand_more").locator(".pf-middle-ellipsis-left")
        closed.first.wait_for(timeout=60_000)
        # Each click opens one group, and may show others.
        for _ in range(24):
            if closed.count() == 0:
                break
            closed.last.click(timeout=5_000)
            page.wait_for_timeout(200)
        page.wait_for_timeout(2_000)
        page.screenshot(path=PICTURE)
        text = page.inner_text("body")
        wrong += [f"not on the page: {one}" for one in TEXTS if one not in text]
        if "Oops, something went wrong" in text:
            wrong.append(text[text.index("Oops"):][:300])
        # What the importer counts as errors or lost data is told beside the search.
        for box in page.query_selector_all(".errors, .error-box, .pf-error"):
            wrong.append(f"the interface warns: {box.get_attribute('title') or box.inner_text()}")
        browser.close()
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
