// Opens the recording: out of the page itself, or from the server it came from.

import { EmbeddedSource } from "./embedded-source.js";
import { ServerSource } from "./server-source.js";
import { Page } from "./page.js";
import { element, put } from "./elements.js";

async function open() {
  const embedded = document.getElementById("varve-data");
  const source = embedded ? new EmbeddedSource(JSON.parse(embedded.textContent)) : new ServerSource(new URL(".", location.href));
  put(document.body, element("p", { class: "opening", role: "status" }, "opening …"));
  const trace = await source.trace();
  document.title = `${(trace.files?.[0] ?? "varve").split("/").pop()} – varve view`;
  const page = new Page(source, trace);
  globalThis.varve = page; // for tests, and for curious people
  await page.ready;
  if (source.isLive) refine(source, page);
}

/** Exact counts in place of estimates; then, while it is being written, what comes. */
async function refine(source, page) {
  const { viewer } = page;
  try {
    // Exact counts come first; then the order of lanes.
    const grow = async () => {
      const trace = await source.trace();
      if (trace.generation !== viewer.trace.generation) viewer.grow(trace);
      page.showStatus();
    };
    let isOrdered = false;
    for await (const { progress, row } of source.pyramid()) {
      if (progress && !viewer.trace.exact) page.showStatus(`${Math.round(100 * progress.done / Math.max(1, progress.total))} %`);
      if (!row) continue;
      if (!isOrdered) await grow();
      isOrdered = row.ordered;
      if (row.work) {
        viewer.slices.outdate();
        viewer.redraw();
      }
      // Until then, what began long before is not seen.
      page.showStatus(row.ordered ? `looking for work that takes long, ${row.work} %` : null);
    }
    await grow();
    page.showStatus();
    if (viewer.trace.ended !== "running") return;
    for await (const { row, done } of source.live()) {
      if (!row && !done) continue;
      viewer.grow(await source.trace());
      page.showStatus();
      if (done) { page.say("The recording has ended."); break; }
    }
  } catch (error) {
    page.say(error.message);
  }
}

open().catch(error => put(document.body, element("p", { class: "opening", role: "alert" }, `This recording cannot be shown: ${error.message}`)));
