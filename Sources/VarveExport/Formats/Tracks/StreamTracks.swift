internal import VarveAnalysis
internal import VarveFormat

/// The tracks on which named streams are drawn: one for each name, below the one that feeds it.
///
/// Observations of a stream overlap, and slices of a track do not: each gets a lane of its track,
/// which is free for another one when it has ended.
struct StreamTracks {
  struct Track {
    var name: String
    var stream: UInt32
    /// The place of the process among those of the trace.
    var process = 0
    /// The track of the nearest named stream that feeds this one.
    var parent: Int?
    var depth = 0
  }

  struct Lane {
    var track: Int
    var lane: Int
  }

  /// The tracks: for each process, one for observations of streams that have no name; then those of
  /// the streams, in the order in which they were made.
  private(set) var tracks: [Track]
  private let processes: TrackProcesses
  private var places = NumberTable<Int>()
  /// The lanes of each track that are in use.
  private var busy: [[Bool]]
  private var open: WalkTable<UInt64, Lane>
  private let walk: TraceWalk

  /// The number of streams between two named ones, and of tracks above one another, that are
  /// followed.
  private static let farthest = 64
  private static let mostLanes = 4_096

  private struct Name: Hashable {
    var process: Int
    var name: String
  }

  init(_ definitions: TraceDefinitions, _ processes: TrackProcesses, _ walk: TraceWalk) {
    self.walk = walk
    self.processes = processes
    open = WalkTable(walk, bytes: 64, of: .observations)
    tracks = processes.all.indices.map {
      Track(name: "unnamed streams", stream: 0, process: $0, parent: nil)
    }
    var names: [Name: Int] = [:]
    let streams = definitions.streams.values.filter(\.isNamed).sorted { $0.id < $1.id }
    for stream in streams {
      let name = Name(process: processes.place(ofStream: stream.id), name: stream.name)
      if let place = names[name] {
        places[stream.id] = place
        continue
      }
      names[name] = tracks.count
      places[stream.id] = tracks.count
      tracks.append(
        Track(
          name: TerminalText.escaped(stream.name), stream: stream.id, process: name.process,
          parent: nil))
    }
    busy = tracks.map { _ in [] }
    for place in tracks.indices.dropFirst(processes.all.count) {
      guard let parent = feeder(of: tracks[place].stream, definitions), isAbove(place, parent)
      else { continue }
      tracks[place].parent = parent
    }
    for place in tracks.indices { tracks[place].depth = depth(of: place) }
  }

  /// Returns the track of the nearest named stream that feeds a stream.
  private func feeder(of stream: UInt32, _ definitions: TraceDefinitions) -> Int? {
    let own = places[stream]
    var seen: Set<UInt32> = [stream]
    var next = [stream]
    for _ in 0..<Self.farthest {
      guard let one = next.popLast() else { return nil }
      for parent in (definitions.streams[one]?.parents ?? []).prefix(Self.farthest) {
        if let place = places[parent], place != own { return place }
        if seen.insert(parent).inserted { next.insert(parent, at: 0) }
      }
    }
    return nil
  }

  /// Returns whether a track can be below another: streams may lead to each other in circles.
  private func isAbove(_ place: Int, _ parent: Int) -> Bool {
    var above: Int? = parent
    for _ in 0..<Self.farthest {
      guard let one = above else { return true }
      if one == place { return false }
      above = tracks[one].parent
    }
    return false
  }

  private func depth(of place: Int) -> Int {
    var depth = 0
    var above = tracks[place].parent
    while let one = above {
      depth += 1
      above = tracks[one].parent
    }
    return depth
  }

  /// The tracks in the order of the tree, each below the one that feeds it.
  var ordered: [Int] {
    var children: [Int: [Int]] = [:]
    for place in tracks.indices.dropFirst(processes.all.count).reversed() {
      children[tracks[place].parent ?? -1, default: []].append(place)
    }
    var order: [Int] = []
    var next = children[-1] ?? []
    while let place = next.popLast() {
      order.append(place)
      next += children[place] ?? []
    }
    return order + processes.all.indices
  }

  /// The track of a stream; nil if it has no name.
  @inline(__always)
  subscript(stream: UInt32) -> Int? { places[stream] }

  /// Begins an observation of a stream; returns its lane.
  mutating func begin(_ edge: UInt64, of stream: UInt32) -> Lane? {
    let track = places[stream] ?? processes.place(ofStream: stream)
    let free = busy[track].firstIndex(of: false)
    guard free != nil || busy[track].count < Self.mostLanes else {
      walk.passOver(.observations)
      return nil
    }
    let lane = Lane(track: track, lane: free ?? busy[track].count)
    guard open[edge] == nil, open.set(lane, for: edge) else { return nil }
    if free == nil { busy[track].append(true) } else { busy[track][lane.lane] = true }
    return lane
  }

  /// Ends an observation; returns its lane if it was begun.
  mutating func end(_ edge: UInt64) -> Lane? {
    guard let lane = open.removeValue(forKey: edge) else { return nil }
    busy[lane.track][lane.lane] = false
    return lane
  }
}
