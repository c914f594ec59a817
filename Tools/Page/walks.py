"""What people do with the page: each a walk through a page that is open, and what is to be seen on the way."""

import json
import re
import subprocess
import time

FRAME = 17  # milliseconds, p95


def reads_one_event(viewed, text):
    """From the whole to one event: its value is in the panel and is what the trace says."""
    viewed.press("0")
    viewed.search(text)
    viewed.press("1", "Enter")
    selected = viewed.ask("varve.viewer.selection")
    assert selected and text in (selected["value"] or ""), selected
    assert selected["value"] in viewed.page.inner_text("#panel pre.value"), viewed.panel()[:300]
    assert viewed.ask("varve.viewer.axis.width * varve.viewer.axis.scale < varve.viewer.axis.length / 4")
    assert selected["thread"] in viewed.panel()
    spoken = viewed.page.text_content(".spoken")
    assert selected["kind"] in spoken and selected["value"] in spoken, spoken


def zooms_to_one_event(viewed, command, trace):
    """By the wheel, until events are drawn one by one; what is read there is what `replay` prints."""
    viewed.press("0")
    box = viewed.page.locator("canvas.chart").bounding_box()
    left = viewed.ask("varve.chart.gutter")
    viewed.page.mouse.move(box["x"] + left + (box["width"] - left) * 0.4, box["y"] + 200)
    # More are there than are seen: those around, which one who goes on is likely to see next.
    seen_events = "varve.viewer.events.events.filter(event => event.tick >= varve.viewer.axis.start && event.tick <= varve.viewer.axis.end)"
    for _ in range(200):
        if viewed.ask(f"varve.chart.isDetailed && {seen_events}.length < 300"):
            break
        viewed.page.mouse.wheel(0, -400)
        viewed.page.wait_for_timeout(40)
        viewed.settle()
    seen = viewed.ask(f"{seen_events}.length")
    assert 0 < seen < 300, f"{seen} events are seen"
    viewed.ask(f"async () => {{ await varve.viewer.select({seen_events}.find(event => event.kind === 'value').event); }}")
    selected = viewed.ask("varve.viewer.selection")
    shown = viewed.page.inner_text("#panel pre.value")
    assert shown == str(selected["value"]), (shown, selected)
    printed = subprocess.run(
        [command, "replay", trace, "--around", selected["event"], "--format", "ndjson"], capture_output=True, text=True, check=True)
    own = [line for line in map(json.loads, printed.stdout.splitlines()) if line["event"] == selected["event"]]
    assert own and str(own[0]["value"]) == shown, (own, shown)


def walks_to_the_root(viewed, least=2):
    """By keys alone; and back again."""
    way = [viewed.ask("varve.viewer.selection.event")]
    for _ in range(100):
        viewed.press("[")
        now = viewed.ask("varve.viewer.selection.event")
        if now == way[-1]:
            break
        way.append(now)
    assert len(way) > least, way
    assert viewed.ask("varve.viewer.selection.causes.length") == 0, "the root has a cause"
    if len(way) < 2:
        return 1
    viewed.press("]")
    assert viewed.ask("varve.viewer.selection.event") == way[-2]
    return len(way)


def walks_to_the_line(viewed):
    """From "the screen shows the wrong result" to the line, by clicks alone; returns them."""
    clicks = []

    def click(what, selector, at=0):
        viewed.page.locator(selector).nth(at).click()
        clicks.append(what)
        viewed.settle()

    viewed.press("Escape", "0")
    click("the tab Findings", "#tab-findings")
    viewed.until("document.querySelector('#panel ol.findings') || /Nothing was found/.test(document.querySelector('#panel').innerText)")
    if viewed.page.query_selector("#panel ol.findings"):
        click("the finding", "#panel ol.findings button")
        viewed.until("varve.viewer.selection || varve.viewer.panel === 'lane'")
    if not viewed.page.query_selector("#panel ol.chain"):
        # Nothing has gone wrong here: somebody sees a result, and wonders.
        viewed.ask("varve.filter('/^results$/')")
        viewed.settle()
        viewed.until("varve.chart.hits.some(hit => hit.events?.[0].kind === 'value')")
        # The lanes may move while the page looks for the place of the value: then it is clicked again.
        for _ in range(5):
            spot = viewed.ask("(() => { const { x, y } = varve.chart.hits.findLast(hit => hit.events?.[0].kind === 'value'); return { x, y }; })()")
            box = viewed.page.locator("canvas.chart").bounding_box()
            viewed.page.mouse.click(box["x"] + spot["x"], box["y"] + spot["y"])
            viewed.settle()
            if viewed.ask("document.querySelectorAll('#panel ol.chain button').length > 1"):
                break
            viewed.page.wait_for_timeout(500)
        viewed.until("document.querySelectorAll('#panel ol.chain button').length > 1")
        clicks[:] = ["the value in the lane of results"]
    click("the first step of its chain of causes", "#panel ol.chain button", at=1)
    viewed.until("document.querySelector('#panel figure.source .line.here')")
    line = viewed.page.inner_text("#panel figure.source .line.here")
    viewed.ask("varve.filter('')")
    return clicks + [line]


def knows_a_moment(viewed):
    """At a moment: the last value and the open subscriptions of each stream; lanes light up; the numbers of events are links."""
    viewed.ask("varve.filter(''); varve.viewer.whole()")
    viewed.press("Escape", "0")
    # A stream that was subscribed to, in the middle of a subscription.
    lane, tick = viewed.ask("""async () => {
      const lane = varve.viewer.trace.lanes.find(one => one.name === 'results');
      const { subscriptions } = await varve.viewer.source.subscriptions(lane.lane), [one] = subscriptions;
      return [lane.lane, Math.floor((one.from + (one.to ?? varve.viewer.trace.ticks)) / 2)];
    }""")
    open_then = viewed.ask("""async ([lane, tick]) => (await varve.viewer.source.subscriptions(lane)).subscriptions
      .filter(one => one.from <= tick && (one.to ?? Infinity) > tick).length""", [lane, tick])
    viewed.ask("tick => { varve.viewer.cursor = tick; varve.viewer.show('state'); }", tick)
    viewed.until("varve.viewer.panels.list.find(one => one.name === 'state').panel.tick === varve.viewer.cursor")
    row = viewed.ask("lane => varve.viewer.panels.list.find(one => one.name === 'state').panel.rows.find(row => row.lane === lane)", lane)
    assert open_then > 0 and row["open"] == open_then, (open_then, row)
    assert "open" in viewed.page.inner_text("#panel thead"), viewed.panel()[:300]
    viewed.press(")")
    assert viewed.ask("varve.viewer.lanes.rows.some(row => row.lane && varve.chart.light(row.lane) > 0.9)"), "no lane is lit"
    # What had been kept of several values names the first of them.
    viewed.ask("async () => { await varve.viewer.find('lines in'); await varve.viewer.select(varve.viewer.search.hits.at(-1).event); }")
    viewed.until("document.querySelector('#panel button.telling')")
    # Its line is there before one goes to its event.
    viewed.until("varve.viewer.causes.telling.source")
    # The panel is drawn anew a moment after its line is known.
    viewed.until("[...document.querySelectorAll('#panel .line.here .number')].some(one => Number(one.textContent) === varve.viewer.causes.telling.source.line)")
    if viewed.page.query_selector("#panel p.told button.link:not(.place)"):
        name = viewed.page.locator("#panel p.told button.link:not(.place)").first.inner_text()
        viewed.page.locator("#panel p.told button.link:not(.place)").first.click()
        viewed.until(f"'#' + varve.viewer.selection?.event === {name!r}")


def shuts_out_strangers(chromium, address):
    """A page from elsewhere, another name of this machine, and another token get nothing."""
    page = chromium.new_page()
    page.goto("about:blank")
    root = address.split("#")[0]
    for mode in "cors", "no-cors":
        got = page.evaluate("async ([address, mode]) => { try { return (await (await fetch(address, { mode })).text()).length; } catch { return 0; } }", [root, mode])
        assert got == 0, (mode, got)
    token = root.split("/")[3]
    for other in root.replace("127.0.0.1", "rebound.localhost"), root.replace(token, "0" * len(token)):
        try:
            answer = page.goto(other)
        except Exception:
            continue
        assert answer is None or not answer.ok, other
    page.close()


def asks_of_a_silence(viewed):
    """A click on an empty stretch of a stream asks why it is silent; keys go on where the picture is."""
    viewed.press("Escape", "0")
    viewed.ask("varve.filter('/^results$/')")
    viewed.settle()
    viewed.until("varve.chart.hits.some(hit => hit.events)")
    spot = viewed.ask("""(() => {
      const { viewer, chart } = varve, row = viewer.lanes.rows.find(row => row.lane?.name === 'results');
      const taken = chart.hits.filter(hit => hit.events).map(hit => hit.x).sort((a, b) => a - b);
      const gaps = taken.slice(1).map((x, index) => [x - taken[index], (x + taken[index]) / 2]).sort((a, b) => b[0] - a[0]);
      return [gaps[0][1], chart.yOf(row.lane.lane)];
    })()""")
    box = viewed.page.locator("canvas.chart").bounding_box()
    viewed.page.mouse.click(box["x"] + spot[0], box["y"] + spot[1])
    viewed.until("/results delivered/.test(document.querySelector('#panel').innerText)")
    # The answer is about that stretch: of all values that the stream delivered, those before it.
    told = viewed.ask("document.querySelector('#panel').innerText")
    values = viewed.ask("varve.viewer.lanes.rows.find(row => row.lane?.name === 'results').lane.values")
    assert f"results delivered {values} values" not in told, told
    viewed.page.locator("#tab-state").click()
    viewed.press(" ")
    assert viewed.ask("varve.viewer.player.isPlaying"), "space pressed the tab again"
    viewed.press(" ", "Escape")
    viewed.ask("varve.filter('')")


def stops_a_long_question(viewed):
    """Findings tell how far they are, can be stopped, and asked for again."""
    viewed.page.locator("#tab-findings").click()
    viewed.until("document.querySelector('#panel h2') || /reading, \\d+ %/.test(document.querySelector('#panel').innerText)")
    if viewed.page.query_selector("#panel h2"):
        print("      findings came before they could be stopped", flush=True)
        return
    viewed.page.locator("#panel button", has_text="stop").click()
    viewed.until("/stopped/.test(document.querySelector('#panel').innerText)")
    began = time.monotonic()
    viewed.page.locator("#panel button", has_text="ask again").click()
    viewed.until("document.querySelector('#panel h2')")
    print(f"      findings after {time.monotonic() - began:.2f} s", flush=True)


def counts_a_range(viewed, command, trace, first=0.3, last=0.6):
    """The panel's count is the number of lines that the copied command prints."""
    viewed.press("Escape", "0")
    box = viewed.page.locator("canvas.chart").bounding_box()
    left = viewed.ask("varve.chart.gutter")
    y, width = box["y"] + 12, box["width"] - left
    viewed.page.mouse.move(box["x"] + left + width * first, y)
    viewed.page.mouse.down()
    viewed.page.mouse.move(box["x"] + left + width * last, y, steps=8)
    viewed.page.mouse.up()
    viewed.until("varve.viewer.panels.list[1].panel.result")
    counted = viewed.ask("varve.viewer.panels.list[1].panel.result.count")
    viewed.press("C")
    words = viewed.ask("varve.copied").split()
    assert words[:2] == ["varve", "replay"], words
    lines = subprocess.run(
        [command, "replay", trace, *words[3:], "--format", "ndjson"], capture_output=True, text=True, check=True)
    printed = len(lines.stdout.splitlines())
    assert counted == printed and counted > 0, f"{counted} counted, {printed} printed"
    if counted < 100_000:
        viewed.press("c")
        assert len(viewed.ask("varve.copied").splitlines()) == counted


def keeps_its_place(viewed):
    """A reload shows the same."""
    viewed.press("p")
    viewed.page.wait_for_timeout(400)
    before = viewed.ask("[varve.viewer.place(), varve.viewer.selection?.event, [...varve.viewer.lanes.pinned].join()]")
    viewed.page.reload()
    viewed.until("globalThis.varve?.viewer")
    viewed.page.wait_for_timeout(300)
    viewed.settle()
    after = viewed.ask("[varve.viewer.place(), varve.viewer.selection?.event, [...varve.viewer.lanes.pinned].join()]")
    assert before[1:] == after[1:], (before, after)
    fraction = [[int(one) for one in re.search(r"t=(-?\d+)\.\.(-?\d+)", place).groups()] for place in (before[0], after[0])]
    assert max(abs(a - b) for a, b in zip(*fraction)) <= 4, fraction
    viewed.press("p")


def finds_by_letters(viewed):
    viewed.press("Control+p")
    viewed.page.keyboard.type("lkup")
    viewed.press("Enter")
    assert "lookup" in viewed.ask("varve.viewer.lanes.focused.name")
    assert viewed.ask("varve.spoken.textContent").startswith("lookup"), viewed.ask("varve.spoken.textContent")
    viewed.press("?")
    assert "To the cause" in viewed.page.inner_text("dialog.keys")
    viewed.press("Escape")


def measures_frames(viewed, least, tries=3):
    """Pans and zooms inside the page for a few seconds; the distance of frames, p95. What else the machine does may
    spoil a try, and so there are several."""
    for _ in range(tries):
        viewed.ask("""async () => {
          const { axis } = varve.viewer, { frames } = varve.chart;
          axis.whole();
          frames.draw.length = frames.gap.length = 0;
          const began = performance.now();
          while (performance.now() - began < 3000) {
            await new Promise(requestAnimationFrame);
            const part = (performance.now() - began) / 3000;
            axis.zoom(part < 0.5 ? 0.985 : 1.015, axis.width * 0.4); axis.pan(part < 0.5 ? 6 : -6);
            varve.viewer.redraw();
          }
        }""")
        frames = viewed.ask("varve.chart.frames")
        ordered = {name: sorted(frames[name]) for name in ("draw", "gap")}
        p95 = {name: round(times[int(len(times) * 0.95)], 1) for name, times in ordered.items()}
        wide = viewed.page.viewport_size["width"]
        print(f"      {len(ordered['gap'])} frames of {wide} pixels: p95 {p95['gap']} ms apart, drawing {p95['draw']} ms", flush=True)
        if len(ordered["gap"]) > least and p95["gap"] <= FRAME:
            return
    raise AssertionError(p95)


OVERLAPS = """() => {
  const { chart } = varve, { context, gutter } = chart, texts = [], draw = context.fillText;
  // What lies below the names is clipped there.
  let least = gutter;
  const names = chart.names;
  chart.names = (...all) => { least = 0; names.apply(chart, all); };
  context.fillText = function (text, x, y) {
    const wide = context.measureText(text).width, left = context.textAlign === "center" ? x - wide / 2 : x;
    if (left + wide > least) texts.push({ text, left: Math.max(left, least), right: left + wide, y, size: parseFloat(/([\\d.]+)px/.exec(context.font)[1]) });
    return draw.call(this, text, x, y);
  };
  try { chart.draw(); } finally { delete context.fillText; delete chart.names; }
  return texts.flatMap((one, index) => texts.slice(index + 1)
    .filter(other => Math.abs(one.y - other.y) < (one.size + other.size) * 0.36 && one.left < other.right - 1 && other.left < one.right - 1)
    .map(other => [one.text, other.text, Math.round(one.left), Math.round(one.y)]));
}"""


def labels_keep_apart(viewed):
    """No two texts of the picture overlap: as a whole and closer, with values as marbles and as lines."""
    for steps in "false", "true":
        for closer in 1, 4, 20:
            viewed.ask(f"""(() => {{
              const {{ viewer }} = varve, {{ axis }} = viewer;
              viewer.steps.isShown = {steps};
              axis.fit(axis.length * 0.3 * ({closer} > 1), axis.length * ({closer} > 1 ? 0.3 + 1 / {closer} : 1), 0.02);
              viewer.moved();
            }})()""")
            viewed.page.wait_for_timeout(150)
            viewed.settle()
            found = viewed.ask(OVERLAPS)
            assert not found, found[:5]
    viewed.ask("(() => { varve.viewer.steps.isShown = false; varve.viewer.whole(); })()")


def goes_by_keys_alone(viewed):
    """To another lane, along it, to a cause, back and away again: each is heard."""
    heard = lambda: viewed.ask("varve.spoken.textContent")
    viewed.press("Escape", "0")
    assert heard() == "Nothing is selected.", heard()
    viewed.ask("varve.filter('/^(query|results)$/')")
    viewed.page.locator("canvas.chart").focus()
    viewed.press("ArrowUp")
    assert heard().startswith("query, "), heard()
    viewed.press(".")
    assert ", query, at " in heard(), heard()
    viewed.press("ArrowDown")
    assert heard().startswith("results, "), heard()
    viewed.press(".")
    assert ", results, at " in heard(), heard()
    viewed.press("[", "]")
    assert ", results, at " in heard(), heard()
    # So the browser tells whatever reads the page aloud.
    told = viewed.page.context.new_cdp_session(viewed.page).send("Accessibility.getFullAXTree")["nodes"]
    names = {node["nodeId"]: node.get("name", {}).get("value", "") for node in told}
    [status] = [node for node in told if node.get("role", {}).get("value") == "status" and any(
        one["name"] == "live" and one["value"]["value"] == "polite" for one in node["properties"])]
    assert heard() in [names[child] for child in status["childIds"]], (heard(), status)
    viewed.press("g")
    viewed.page.keyboard.type("nonsense")
    viewed.press("Enter")
    assert "not the number of an event" in heard(), heard()
    viewed.ask("varve.filter('')")
    viewed.press("Escape")


UNNAMED = """() => [...document.querySelectorAll("button, input, select, textarea, a[href], dialog, canvas, [role=tab], [role=option], [tabindex]")]
  .filter(one => one.checkVisibility() && !one.closest("[aria-hidden=true]"))
  .filter(one => !(one.ariaLabel || one.getAttribute("aria-labelledby") || one.labels?.[0]?.textContent || one.title
    || /^(BUTTON|A)$/.test(one.tagName) && one.textContent || /^(tab|option)$/.test(one.role ?? "") && one.textContent)?.length)
  .map(one => one.outerHTML.slice(0, 200))"""
LAST_BOUNDS = """() => [...document.querySelectorAll("#panel .figures")].filter(one => one.querySelector(".histogram"))
  .map(one => [one.querySelector(".ends small:last-child").textContent, [...one.querySelectorAll(":scope > span")].at(-1).textContent.replace("max", "").trim()])"""
PANELS = ["event", "range", "findings", "search", "lane", "state", "latency", "graph", "crash"]


def looks(viewed, folder, name):
    """A picture of each panel, where somebody wants to look at them."""
    for panel in PANELS:
        viewed.ask("name => varve.viewer.show(name)", panel)
        viewed.page.wait_for_timeout(150)
        viewed.until("!/asking|%/.test(document.querySelector('#panel > .note[role=status]')?.textContent)")
        assert not viewed.page.query_selector("#panel:empty"), panel
        # Whoever hears the page hears what each control is for.
        assert not viewed.ask(UNNAMED), viewed.ask(UNNAMED)
        # A histogram ends with the greatest number.
        assert all(end == greatest for end, greatest in viewed.ask(LAST_BOUNDS)), viewed.ask(LAST_BOUNDS)
        if folder:
            viewed.page.screenshot(path=f"{folder}/{name}-{panel}.png")
