"""A page that is open in the browser."""


class Viewed:
    """A page in the browser, and what tests ask of it."""

    def __init__(self, chromium, address, **options):
        options = {"viewport": {"width": 1600, "height": 900}, **options}
        self.page = chromium.new_page(**options)
        self.problems, self.outside = [], []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.problems.append("a dialog opened"), dialog.dismiss()))
        self.page.on("request", lambda request: self.outside.append(request.url)
                     if not request.url.startswith((address.split("#")[0].rsplit("/", 1)[0], "data:")) else None)
        self.page.goto(address)
        self.until("globalThis.varve?.viewer")
        self.settle()

    def until(self, script):
        """Until something holds. The driver's own way of waiting needs `eval`, which the page forbids."""
        for _ in range(600):
            if self.page.evaluate(f"!!({script})"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"it never held: {script}; the panel says {self.panel()[:300]!r}")

    def settle(self):
        """Until nothing is on its way and what came is drawn."""
        self.until(
            "!varve.viewer.tiles.asking && !varve.viewer.events.asking && varve.viewer.search.state !== 'running'"
            " && (varve.viewer.wanted ?? null) === (varve.viewer.selection?.event ?? null)")
        self.page.wait_for_timeout(120)

    def ask(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(60)
        self.settle()

    def panel(self):
        return self.page.inner_text("#panel")

    def search(self, text):
        self.press("/")
        self.page.keyboard.type(text)
        self.press("Enter")
        self.until("varve.viewer.search.state !== 'running'")
        self.page.wait_for_timeout(200)

    def close(self):
        assert not self.problems, self.problems
        assert not self.outside, f"asked the network for {self.outside[:3]}"
        self.page.close()
