// The chain of causes of the selected event, drawn as arrows from cause to effect, and walked by keys.

export class Causes {
  constructor(source, arrived = () => {}) {
    this.source = source;
    this.arrived = arrived;
    this.telling = null; // the step most worth reading, with its place and a sentence
    this.steps = [];
    this.heads = []; // of the arrows drawn last
    this.of = null;
    this.trail = []; // events that `[` came from, so that `]` returns there
  }

  clear() {
    this.steps = [];
    this.of = this.telling = null;
    this.trail = [];
    this.stop?.abort();
  }

  /** Asks for the chain of an event. A step along a chain that is known keeps it. */
  async follow(id) {
    if (this.steps.some(step => step.event === id)) return;
    this.stop?.abort();
    this.trail = [];
    this.telling = null;
    this.of = id;
    try {
      const answer = await this.source.why(id);
      if (this.of === id) { this.steps = answer.steps ?? []; this.marked = answer.marked ?? null; }
    } catch {
      if (this.of === id) this.steps = [];
    }
    if (this.of === id) this.tell(id);
  }

  /** Asks which step is worth reading, which may take longer than the steps. */
  async tell(id) {
    if (!this.source.telling) return;
    const stop = this.stop = new AbortController();
    try {
      for await (const { done } of this.source.telling(id, stop.signal)) {
        if (this.of !== id) return;
        if (!done?.evidence) continue;
        this.telling = done;
        this.arrived();
        // Its lines, too: the event that it names may be elsewhere.
        const lines = await this.source.source?.(done.marked ?? "").catch(() => null);
        if (this.telling === done && lines) { done.source = lines; this.arrived(); }
      }
    } catch { /* the steps are there all the same */ }
  }

  /** The event before this one in time: its cause in the chain, or its own first. */
  causeOf(event) {
    const index = this.steps.findIndex(step => step.event === event.event);
    return (index >= 0 && this.steps[index + 1]?.event) || event.causes?.[0] || null;
  }

  effectOf(event) {
    const index = this.steps.findIndex(step => step.event === event.event);
    return (index > 0 && this.steps[index - 1].event) || event.effects?.[0]?.event || event.effects?.[0] || null;
  }

  /** Draws arrows; `place(step)` says where a step is, or null. */
  paint(context, place, colours) {
    const spots = this.steps.map(place), arrows = [];
    context.lineCap = "round";
    for (let index = 1; index < spots.length; index++) {
      const from = spots[index], to = spots[index - 1];
      if (from && to && (Math.abs(from.x - to.x) >= 3 || Math.abs(from.y - to.y) >= 3)) arrows.push([from, to]);
    }
    // What is many steps away is fainter, so that the last ones are seen among many.
    this.heads = [];
    for (let index = arrows.length - 1; index >= 0; index--) {
      context.globalAlpha = Math.max(0.4, 1 - 0.05 * index);
      this.heads.push({ ...this.arrow(context, ...arrows[index], colours), alpha: context.globalAlpha });
    }
    context.globalAlpha = 1;
  }

  /** The heads of the arrows, which lie over what they point to. */
  paintHeads(context, colours) {
    context.fillStyle = colours.chain;
    for (const { end, angle, alpha } of this.heads) {
      context.globalAlpha = alpha;
      context.beginPath();
      context.moveTo(end.x + Math.cos(angle) * 5, end.y + Math.sin(angle) * 5);
      context.lineTo(end.x + Math.cos(angle + 2.5) * 5, end.y + Math.sin(angle + 2.5) * 5);
      context.lineTo(end.x + Math.cos(angle - 2.5) * 5, end.y + Math.sin(angle - 2.5) * 5);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  arrow(context, from, to, colours) {
    const { control, end, angle } = arc(from, to);
    for (const [ink, width] of [[colours.halo, 3.5], [colours.chain, 1.25]]) {
      context.strokeStyle = context.fillStyle = ink;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.bezierCurveTo(...control, end.x, end.y);
      context.stroke();
    }
    return { end, angle };
  }
}

/** How an arrow runs. One that is steep leaves and comes in at the left, since values stand at the right.
    Others leave below or above the value that stands there, and those within a lane run below its values. */
export function arc(from, to) {
  const steep = Math.abs(to.x - from.x) < 24, isWithin = Math.abs(to.y - from.y) < 13;
  const bend = steep ? 18 : Math.min(80, (to.x - from.x) / 2), away = Math.min(24, bend), side = (to.y >= from.y ? 16 : -16) * Math.min(1, Math.abs(to.x - from.x) / 100);
  const left = Math.min(from.x, to.x) - bend;
  const control = steep ? [left, from.y, left, to.y]
    : [from.x + away, from.y + side, ...(isWithin ? [to.x - away, to.y + side] : [to.x - bend, to.y])];
  const angle = Math.atan2(to.y - control[3], to.x - control[2]);
  return { control, angle, end: { x: to.x - Math.cos(angle) * 11, y: to.y - Math.sin(angle) * 11 } };
}
