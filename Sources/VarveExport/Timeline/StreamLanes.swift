internal import VarveAnalysis
internal import VarveMarbles

/// The lanes of one stream: one for a hot stream; for a cold one as many as it has runs at a time.
///
/// A run is one start of a producer. Runs that follow each other share a lane, and so it shows at a
/// glance which were cancelled and which finished.
struct StreamLanes {
  /// The most runs that are drawn beside each other; further ones are drawn into the last lane.
  private static let mostTracks = 4
  /// The most runs that may wait for their ids: each event looks through them.
  private static let mostUnnamed = 4_096

  private(set) var tracks: [Lane]
  /// Whether the stream was started more than once, and is drawn run by run.
  let hasRuns: Bool
  private var trackOfRun: WalkTable<UInt64, Int>
  /// Runs that have begun but have not yet delivered: their ids are unknown until they do.
  private var unnamed: [(edge: UInt64, track: Int)] = []
  private var runOfEdge: WalkTable<UInt64, UInt64>

  /// What it takes to remember a run, and the edge that feeds it.
  private static let runBytes = 128
  private static let edgeBytes = 64

  /// Runs that the `walk` cannot remember are counted each time that something happens in them.
  init(name: String, depth: Int, columns: Int, hasRuns: Bool, _ walk: TraceWalk) {
    trackOfRun = WalkTable(walk, bytes: Self.runBytes, of: .observations)
    runOfEdge = WalkTable(walk, bytes: Self.edgeBytes, of: .observations)
    tracks = [Lane(name: name, depth: depth, columns: columns)]
    self.hasRuns = hasRuns
  }

  /// The stream is hot, and lived from this column on.
  mutating func live(from column: Int) {
    if !hasRuns { tracks[0].live(from: column) }
  }

  /// A run begins, and is known by the edge that feeds it.
  mutating func start(run: UInt64, at column: Int) {
    guard hasRuns, trackOfRun[run] == nil else { return }
    let track = freeTrack(at: column)
    trackOfRun.set(track, for: run)
    tracks[track].start(at: column)
  }

  /// A run begins that will be known by the id that its events carry; until then by an edge.
  ///
  /// - Returns: false when it is not drawn.
  mutating func start(unnamedBy edge: UInt64, at column: Int) -> Bool {
    guard hasRuns, unnamed.count < Self.mostUnnamed else { return false }
    let track = freeTrack(at: column)
    unnamed.append((edge, track))
    tracks[track].start(at: column)
    return true
  }

  /// A value.
  mutating func value(run: UInt64, at column: Int, tag: LaneTag, text: () -> String) {
    tracks[track(of: run, at: column)].value(at: column, tag: tag, text: text)
  }

  /// An end.
  mutating func end(_ ending: LaneEnding, run: UInt64, at column: Int, tag: LaneTag) {
    let track = track(of: run, at: column)
    tracks[track].end(ending, at: column, tag: tag)
    trackOfRun.removeValue(forKey: run)
  }

  /// An edge has gone. A run that is still open with it was cancelled, or nobody was left to see it.
  mutating func edgeEnded(_ edge: UInt64, cancelled: Bool, at column: Int, tag: LaneTag) {
    guard hasRuns else { return }
    let run = runOfEdge.removeValue(forKey: edge) ?? edge
    let track: Int
    if let index = unnamed.firstIndex(where: { $0.edge == edge }) {
      track = unnamed.remove(at: index).track
    } else if let known = trackOfRun.removeValue(forKey: run) {
      track = known
    } else {
      return
    }
    if cancelled {
      tracks[track].end(.interrupted, at: column, tag: tag)
    } else {
      tracks[track].fade(at: column)
    }
  }

  /// The chart ends.
  mutating func close() {
    for index in tracks.indices { tracks[index].close() }
  }

  /// Where a run is drawn. One that cannot be remembered is drawn wherever there is room.
  private mutating func track(of run: UInt64, at column: Int) -> Int {
    guard hasRuns else { return 0 }
    if let known = trackOfRun[run] { return known }
    if let next = unnamed.first {
      unnamed.removeFirst()
      if trackOfRun.set(next.track, for: run) { runOfEdge.set(run, for: next.edge) }
      return next.track
    }
    let track = freeTrack(at: column)
    trackOfRun.set(track, for: run)
    return track
  }

  private mutating func freeTrack(at column: Int) -> Int {
    if let free = tracks.firstIndex(where: { !$0.isOpen && $0.lastColumn <= column }) {
      return free
    }
    guard tracks.count < Self.mostTracks else { return tracks.count - 1 }
    tracks.append(Lane(name: "", depth: tracks[0].depth, columns: tracks[0].columnCount))
    return tracks.count - 1
  }
}
