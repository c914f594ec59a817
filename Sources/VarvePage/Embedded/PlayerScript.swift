// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let playerScript = PageFile(name: "player.js", text: ##"""
// Plays a recording: moves the cursor through time, at a speed or event by event.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10, 100];

export class Player {
  constructor(viewer) {
    this.viewer = viewer;
    this.speed = 1;
    this.isPlaying = false;
    this.last = null;
    this.asked = 0;
  }

  toggle() {
    const { viewer } = this;
    this.isPlaying = !this.isPlaying;
    this.last = null;
    if (this.isPlaying) {
      if (viewer.cursor === null || viewer.cursor >= viewer.trace.ticks)
        viewer.cursor = Math.max(0, viewer.selection?.tick ?? viewer.axis.start);
      viewer.show("state");
    }
    viewer.say(this.isPlaying ? `Playing at ${this.speed} times the recorded pace.` : "Paused.");
    viewer.redraw();
    viewer.panelChanged("state");
  }

  changeSpeed(by) {
    const index = Math.min(Math.max(0, SPEEDS.indexOf(this.speed) + by), SPEEDS.length - 1);
    this.speed = SPEEDS[index];
    this.viewer.say(`${this.speed} times the recorded pace`);
    this.viewer.panelChanged("state");
  }

  /** Called for each frame. */
  advance(time) {
    if (!this.isPlaying) return;
    const { viewer } = this;
    if (this.last !== null) {
      const ns = viewer.clock.ns(viewer.cursor) + (time - this.last) * 1e6 * this.speed;
      viewer.cursor = Math.min(viewer.trace.ticks, viewer.clock.tick(ns));
      if (viewer.axis.x(viewer.cursor) > viewer.axis.width * 0.9) {
        viewer.axis.start = viewer.cursor - viewer.axis.width * viewer.axis.scale * 0.9;
        viewer.axis.keepInside();
      }
      if (viewer.cursor >= viewer.trace.ticks) this.isPlaying = false;
      if (time - this.asked > 250 || !this.isPlaying) { this.asked = time; viewer.panelChanged("state"); }
    }
    this.last = time;
    viewer.redraw();
  }

  /** To the next event of any lane that is seen, or the one before. */
  async step(direction) {
    const { viewer } = this;
    this.isPlaying = false;
    const at = viewer.cursor ?? viewer.selection?.tick ?? Math.max(0, viewer.axis.start);
    const lanes = viewer.lanes.rows.filter(row => row.lane).map(row => row.lane.lane);
    for (let span = Math.max(1, viewer.axis.scale * 8); span < viewer.trace.ticks * 16; span *= 8) {
      const from = direction > 0 ? at + 1 : Math.max(0, at - span), to = direction > 0 ? at + span : at - 1;
      if (to < 0 || from > viewer.trace.ticks) break;
      const { events, more } = await viewer.source.events({ from, to, lanes, limit: 2000 });
      if (direction < 0 && more && span > 16) { span /= 64; continue; }
      const next = direction > 0 ? events[0] : events.at(-1);
      if (!next) continue;
      viewer.cursor = next.tick;
      await viewer.select(next.event);
      viewer.show("state");
      return;
    }
    viewer.say(direction > 0 ? "Nothing happens after this." : "Nothing happens before this.");
  }
}
"""##)
}
