"""The viewer's server, while a test uses it."""

import re
import subprocess


class NotRun(Exception):
    """What is missing."""


class Server:
    """`varve view` while it runs; `address` is what it printed. A command that writes a page is none."""

    def __init__(self, *words):
        self.words = words

    def __enter__(self):
        command, *traces = self.words
        self.process = subprocess.Popen(
            [command, "view", *traces, "--no-open", "-q"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S+", line):
                self.address = found[0]
                return self
        self.process.wait()
        raise NotRun("this command's view serves no page")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
