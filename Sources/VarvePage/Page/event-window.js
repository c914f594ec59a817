// The events around what is seen, when they are few enough to be drawn one by one.

/** As many can be drawn within a frame: the whole of a short recording is seen as what it is. */
const MOST = 4000;

export class EventWindow {
  constructor(source, arrived) {
    this.source = source;
    this.arrived = arrived;
    this.forget();
  }

  forget() {
    this.events = [];
    this.byLane = new Map();
    this.from = this.to = 0;
    this.key = "";
    this.isTooMany = true;
    this.tooManyAt = null;
    this.isOutdated = false;
    this.asking?.abort();
    this.asking = null;
  }

  /** The trace has grown: events are asked for again, and the old ones are drawn until these come. */
  outdate() {
    this.isOutdated = true;
    this.tooManyAt = null;
    this.asking?.abort();
    this.asking = null;
  }

  covers(from, to, key) { return !this.isOutdated && !this.isTooMany && key === this.key && from >= this.from && to <= this.to; }

  /** Whether each event of this part can be drawn; asks for them when they are not there. */
  want(from, to, lanes) {
    const key = lanes.join();
    if (this.covers(from, to, key)) return true;
    const span = to - from;
    // A part of which so little was already too much is not asked for again.
    if (this.tooManyAt && this.tooManyAt.key === key && this.tooManyAt.from >= from && this.tooManyAt.to <= to) return this.partly(from, to, key);
    if (!this.asking) this.fetch(from - span / 2, to + span / 2, from, to, lanes, key);
    return this.partly(from, to, key);
  }

  /** Old events serve while new ones come, when they cover most of the part. */
  partly(from, to, key) {
    if (this.isTooMany || this.key !== key) return false;
    return Math.min(to, this.to) - Math.max(from, this.from) > (to - from) * 0.6;
  }

  async fetch(from, to, innerFrom, innerTo, lanes, key) {
    const asking = this.asking = new AbortController();
    try {
      let answer = await this.source.events({ from: Math.max(0, from), to, lanes, limit: MOST, draws: true }, asking.signal);
      if (answer.more) {
        [from, to] = [innerFrom, innerTo];
        answer = await this.source.events({ from: Math.max(0, from), to, lanes, limit: MOST, draws: true }, asking.signal);
      }
      if (this.asking !== asking) return;
      this.isOutdated = false;
      if (answer.more) {
        this.tooManyAt = { from: innerFrom, to: innerTo, key };
        this.isTooMany = true;
      } else {
        Object.assign(this, { events: answer.events, from, to, key, isTooMany: false, tooManyAt: null });
        this.byLane = new Map();
        for (const event of answer.events) {
          if (!this.byLane.has(event.lane)) this.byLane.set(event.lane, []);
          this.byLane.get(event.lane).push(event);
        }
      }
    } catch (error) {
      if (this.asking !== asking) return;
      if (error.name !== "AbortError") await new Promise(done => setTimeout(done, 500));
    }
    this.asking = null;
    this.arrived();
  }
}
