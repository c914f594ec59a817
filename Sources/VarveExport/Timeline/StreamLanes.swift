internal import VarveAnalysis
internal import VarveMarbles

/// The lanes of one stream: one for a hot stream, one per concurrent run for a cold stream.
///
/// A run is one start of a producer. Consecutive runs share a lane, which shows at a glance which
/// of them were cancelled and which finished.
struct StreamLanes {
  /// The greatest number of lanes for concurrent runs; further runs are drawn on the last one.
  private static let mostTracks = 4
  /// The greatest number of runs that may wait for their ids. Some events search all of them.
  private static let mostUnnamed = 4_096

  private(set) var tracks: [Lane]
  /// Whether all beginnings are seen: a run without one has none, and did not begin earlier.
  var seesBeginnings = false
  /// For each track, whether the beginning of its last run was seen.
  private var hasBegun = [true]
  /// Whether the stream was started more than once and is drawn run by run.
  let hasRuns: Bool
  private var trackOfRun: WalkTable<UInt64, Int>
  /// Runs that have begun but not delivered: their ids are unknown until they do.
  private var unnamed = UnnamedRuns()
  private var edges: WalkTable<UInt64, Edge>
  /// Whether a run waits for its id, and there was no memory for its subscription.
  private var hasForgotten = false

  /// What a subscription feeds: a run that waits for its id, or one that has it.
  private enum Edge: Sendable {
    case unnamed(place: Int), named(run: UInt64)
  }

  /// The memory that a run takes, and the subscription that feeds it, in bytes.
  private static let runBytes = 128
  private static let edgeBytes = 64

  /// Runs that `walk` cannot remember are counted each time that something happens in them.
  init(name: String, depth: Int, columns: Int, hasRuns: Bool, _ walk: TraceWalk) {
    trackOfRun = WalkTable(walk, bytes: Self.runBytes, of: .observations)
    edges = WalkTable(walk, bytes: Self.edgeBytes, of: .observations)
    tracks = [Lane(name: name, depth: depth, columns: columns)]
    self.hasRuns = hasRuns
  }

  /// Marks a hot stream as existing from `column` on.
  mutating func live(from column: Int) {
    if !hasRuns { tracks[0].live(from: column) }
  }

  /// Begins a run that is identified by the subscription that feeds it.
  mutating func start(run: UInt64, at column: Int) {
    guard hasRuns, trackOfRun[run] == nil else { return }
    let track = freeTrack(at: column)
    trackOfRun.set(track, for: run)
    tracks[track].start(at: column)
    hasBegun[track] = true
  }

  /// Begins a run that will be identified by the id in its events, until then by a subscription.
  mutating func start(unnamedBy edge: UInt64, at column: Int) {
    guard hasRuns, unnamed.count < Self.mostUnnamed else { return }
    let track = freeTrack(at: column)
    let place = unnamed.append(edge, track)
    if !edges.set(.unnamed(place: place), for: edge) { hasForgotten = true }
    tracks[track].start(at: column)
    hasBegun[track] = true
  }

  /// Draws a value. Returns the track that it and the next values of the run are on; nil if that is
  /// not certain.
  @discardableResult
  mutating func value(run: UInt64, at column: Int, tag: LaneTag, text: () -> String) -> Int? {
    let (track, isCertain) = track(of: run, at: column)
    tracks[track].value(at: column, tag: tag, text: text)
    return isCertain ? track : nil
  }

  /// Draws further values in a column that has one.
  mutating func values(_ more: Int, on track: Int, at column: Int, tag: LaneTag) {
    tracks[track].values(more, at: column, tag: tag)
  }

  /// Notes that what a run delivers in a column was given to another scheduler at `given`.
  mutating func hop(run: UInt64, from given: Int, to column: Int) {
    guard let track = hasRuns ? trackOfRun[run] : 0 else { return }
    tracks[track].hop(from: given, to: column)
  }

  /// Draws an end.
  mutating func end(_ ending: LaneEnding, run: UInt64, at column: Int, tag: LaneTag) {
    if hasRuns, let known = trackOfRun.removeValue(forKey: run) {
      return tracks[known].end(ending, at: column, tag: tag)
    }
    // What flattens or joins may end with the run that it had delivered from before.
    if hasRuns, seesBeginnings, unnamed.count == 0 {
      let open = tracks.indices.filter { tracks[$0].isOpen }
      if open.count == 1 { return tracks[open[0]].end(ending, at: column, tag: tag) }
    }
    let (track, _) = track(of: run, at: column)
    tracks[track].end(ending, at: column, tag: tag)
    if hasRuns { trackOfRun.removeValue(forKey: run) }
  }

  /// Ends a subscription that feeds a run. A run still open then was cancelled, or has lost its last
  /// observer.
  mutating func edgeEnded(_ edge: UInt64, cancelled: Bool, at column: Int, tag: LaneTag) {
    if let track = trackOfRun.removeValue(forKey: edge) { close(track, cancelled, column, tag) }
  }

  /// Ends a subscription that observes a run.
  mutating func observationEnded(
    _ edge: UInt64, cancelled: Bool, at column: Int, tag: LaneTag
  ) {
    if let track = trackWhoseObservationEnded(edge) { close(track, cancelled, column, tag) }
  }

  private mutating func close(_ track: Int, _ cancelled: Bool, _ column: Int, _ tag: LaneTag) {
    if cancelled {
      tracks[track].end(.interrupted, at: column, tag: tag)
    } else {
      tracks[track].fade(at: column)
    }
  }

  private mutating func trackWhoseObservationEnded(_ edge: UInt64) -> Int? {
    switch edges.removeValue(forKey: edge) {
    case .unnamed(let place): unnamed.remove(place)
    case .named(let run): trackOfRun.removeValue(forKey: run)
    case nil: hasForgotten ? unnamed.remove(edge: edge) : nil
    }
  }

  /// Closes the lanes at the end of the chart. A run without a beginning is drawn as far as something
  /// is known of it: its end is not seen either.
  mutating func close() {
    for index in tracks.indices {
      if hasRuns, seesBeginnings, !hasBegun[index], tracks[index].isOpen {
        tracks[index].fade(at: tracks[index].lastColumn)
      }
      tracks[index].close()
    }
  }

  /// Returns the lane of a run, and whether the next events of the run are on it, too. A run that
  /// cannot be remembered goes wherever there is room.
  private mutating func track(of run: UInt64, at column: Int) -> (track: Int, isCertain: Bool) {
    guard hasRuns else { return (0, true) }
    if let known = trackOfRun[run] { return (known, true) }
    if let next = unnamed.removeFirst() {
      let isKept = trackOfRun.add(next.track, for: run)
      if isKept {
        edges.set(.named(run: run), for: next.edge)
      } else {
        edges.removeValue(forKey: next.edge)
      }
      return (next.track, isKept)
    }
    let track = freeTrack(at: column)
    if !tracks[track].isOpen { hasBegun[track] = false }
    return (track, trackOfRun.add(track, for: run))
  }

  private mutating func freeTrack(at column: Int) -> Int {
    // By index: a lane that is handed to a closure is copied, with all that it refers to.
    for index in tracks.indices where tracks[index].isFree(at: column) { return index }
    guard tracks.count < Self.mostTracks else { return tracks.count - 1 }
    hasBegun.append(true)
    tracks.append(Lane(name: "", depth: tracks[0].depth, columns: tracks[0].columnCount))
    return tracks.count - 1
  }
}
