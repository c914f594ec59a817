public import VarveProbe

/// Streams in the order in which events flow through them, each indented below the streams
/// that feed it.
///
/// Streams that were not chosen are left out, and their neighbors are connected directly: of
/// `keystrokes.map(_:).filter(_:)` named `queries`, `keystrokes` and `queries` remain.
///
/// A stream that was made of no other, such as a property, stands below what it was bound to
/// (`<~`), unless it feeds that itself.
public struct StreamFlow: Sendable {
  /// A stream and its position.
  public struct Node: Sendable, Hashable {
    /// The stream.
    public var stream: UInt32
    /// The depth of its indentation; 0 for a source.
    public var depth: Int
    /// The chosen streams that feed it, nearest first.
    public var parents: [UInt32]
  }

  /// The chosen streams, in flow order.
  public private(set) var nodes: [Node] = []

  private let definitions: [UInt32: StreamDefinition]
  private var parents: [UInt32: [UInt32]]
  private var inner: [UInt32: [UInt32]]
  private var children: [UInt32: [UInt32]] = [:]
  private var missing: [UInt32: Int] = [:]
  private var placed: Set<UInt32> = []
  /// Limits the search from inner streams to their sources. When it runs out, a source may appear
  /// below a stream that it feeds.
  private let walk: TraceWalk

  /// Orders streams.
  ///
  /// - Parameters:
  ///   - chosen: the streams to order.
  ///   - definitions: the definitions of all streams.
  ///   - feeds: the streams found to feed each other while the program ran.
  public init(
    of chosen: Set<UInt32>, definitions: [UInt32: StreamDefinition], feeds: Set<StreamEdge> = []
  ) {
    self.definitions = definitions
    walk = TraceWalk(streams: definitions.count)
    let ancestry = Ancestry(
      chosen: chosen, definitions: definitions, walk: TraceWalk(streams: definitions.count))
    parents = Dictionary(uniqueKeysWithValues: chosen.map { ($0, ancestry.nearest(above: [$0])) })
    inner = Self.innerStreams(parents, feeds: feeds, ancestry)
    for (stream, parents) in parents {
      missing[stream] = parents.count
      for parent in parents { children[parent, default: []].append(stream) }
    }
    bind()
    place(chosen)
  }

  /// Makes those that feed a stream without parents its parents: a property was bound to them. Of
  /// Makes those that feed a stream that was made of no other its parents: a property was bound to
  /// them. Of streams that feed each other, the one that was made first stays above the others, because
  /// the others are looked at before.
  private mutating func bind() {
    for stream in sorted(inner.keys).reversed() where definitions[stream]?.parents.isEmpty == true {
      let below = streams(below: stream)
      let feeding = inner[stream, default: []]
      let bound = feeding.filter { !below.contains($0) }
      guard !bound.isEmpty else { continue }
      parents[stream] = bound
      inner[stream] = feeding.filter { below.contains($0) }.nilIfEmpty
      missing[stream] = bound.count
      for parent in bound { children[parent, default: []].append(stream) }
    }
  }

  /// Returns the streams that a stream feeds, directly or not.
  private func streams(below stream: UInt32) -> Set<UInt32> {
    var below: Set<UInt32> = []
    var open = [stream]
    while let next = open.popLast() {
      let children = children[next, default: []]
      guard walk.step(1 + children.count) else { break }
      open += children.filter { below.insert($0).inserted }
    }
    return below
  }

  private static func innerStreams(
    _ parents: [UInt32: [UInt32]], feeds: Set<StreamEdge>, _ ancestry: Ancestry
  ) -> [UInt32: [UInt32]] {
    var sources: [UInt32: Set<UInt32>] = [:]
    for edge in feeds { sources[edge.to, default: []].insert(edge.from) }
    var inner: [UInt32: [UInt32]] = [:]
    for (stream, parents) in parents {
      let fed = ancestry.fed(ancestry.upTo(stream), by: sources)
      let known = Set(parents)
      let nearest = ancestry.nearest(including: fed).filter {
        $0 != stream && !known.contains($0)
      }
      if !nearest.isEmpty { inner[stream] = nearest }
    }
    return inner
  }

  private mutating func place(_ chosen: Set<UInt32>) {
    let innerSources = unplacedSources(above: Set(inner.values.joined()))
    let sources = chosen.filter { parents[$0, default: []].isEmpty }
    // Popped from the end: first the pure sources, then those that only inner streams need, and
    // finally whatever is left, because a circle of streams has no source.
    let order =
      sorted(sources.subtracting(innerSources)) + sorted(sources.intersection(innerSources))
      + sorted(chosen)
    var stack = order.reversed().map { ($0, 0) }
    while let (stream, depth) = stack.popLast() {
      guard placed.insert(stream).inserted else { continue }
      // Most streams have no inner streams and share the list with `parents`.
      let feeding = parents[stream, default: []].followed(by: inner[stream])
      nodes.append(Node(stream: stream, depth: depth, parents: feeding))
      stack += ready(below: stream, depth: depth + 1).reversed()
    }
  }

  /// Returns the streams whose last source has just been placed, each preceded by the inner streams
  /// that feed it.
  private mutating func ready(below stream: UInt32, depth: Int) -> [(UInt32, Int)] {
    var result: [(UInt32, Int)] = []
    var seen: Set<UInt32> = []
    for child in sorted(children[stream, default: []]) {
      missing[child, default: 1] -= 1
      guard missing[child] == 0, seen.insert(child).inserted else { continue }
      result += withInner(child, &seen).map { ($0, depth) }
    }
    return result
  }

  /// Returns the stream, preceded by the sources of its inner streams and of theirs, without those
  /// already in `seen`.
  private mutating func withInner(_ stream: UInt32, _ seen: inout Set<UInt32>) -> [UInt32] {
    var result: [UInt32] = []
    var open: [(stream: UInt32, isExpanded: Bool)] = [(stream, false)]
    while let (next, isExpanded) = open.popLast() {
      if isExpanded {
        result.append(next)
        continue
      }
      open.append((next, true))
      guard let inner = inner[next], !walk.isOutOfSteps else { continue }
      let sources = unplacedSources(above: Set(inner))
      open += sorted(sources).reversed().filter { seen.insert($0).inserted }.map { ($0, false) }
    }
    return result
  }

  /// Returns the unplaced sources that lead to the given streams.
  private mutating func unplacedSources(above streams: Set<UInt32>) -> Set<UInt32> {
    var sources: Set<UInt32> = []
    var seen = streams
    var open = Array(streams)
    while let next = open.popLast() {
      let above = parents[next, default: []]
      guard walk.step(1 + above.count) else { break }
      let unplaced = above.filter { !placed.contains($0) }
      if unplaced.isEmpty, !placed.contains(next), missing[next, default: 0] == 0 {
        sources.insert(next)
      }
      open += unplaced.filter { seen.insert($0).inserted }
    }
    return sources
  }

  private func sorted(_ streams: some Sequence<UInt32>) -> [UInt32] {
    streams.sorted {
      (definitions[$0]?.born ?? 0, $0) < (definitions[$1]?.born ?? 0, $1)
    }
  }
}

extension [UInt32] {
  fileprivate var nilIfEmpty: [UInt32]? { isEmpty ? nil : self }

  fileprivate func followed(by others: [UInt32]?) -> [UInt32] { others.map { self + $0 } ?? self }
}

/// Finds the chosen streams above others, within the limits of the walk.
private struct Ancestry {
  let chosen: Set<UInt32>
  let definitions: [UInt32: StreamDefinition]
  let walk: TraceWalk

  /// Returns the nearest chosen streams above the given ones, which are not counted themselves.
  func nearest(above streams: [UInt32]) -> [UInt32] {
    nearest(including: streams.flatMap { definitions[$0]?.parents ?? [] })
  }

  /// Returns the nearest chosen streams above the given ones, or those themselves if they are
  /// chosen.
  func nearest(including streams: [UInt32]) -> [UInt32] {
    var found: [UInt32] = []
    var known: Set<UInt32> = []
    var seen = Set(streams)
    var open = Array(streams.reversed())
    while let next = open.popLast() {
      let isChosen = chosen.contains(next)
      let above = isChosen ? [] : definitions[next]?.parents ?? []
      guard walk.step(1 + above.count) else { break }
      if isChosen, known.insert(next).inserted { found.append(next) }
      open += above.reversed().filter { seen.insert($0).inserted }
    }
    return found
  }

  /// Returns the streams that feed the given ones.
  func fed(_ streams: [UInt32], by sources: [UInt32: Set<UInt32>]) -> [UInt32] {
    var fed: [UInt32] = []
    for stream in streams {
      let more = sources[stream] ?? []
      guard walk.step(1 + more.count) else { break }
      fed += more
    }
    return fed
  }

  /// Returns a stream and the streams above it, up to but not including the nearest chosen ones.
  func upTo(_ stream: UInt32) -> [UInt32] {
    var reached = [stream]
    var seen: Set<UInt32> = [stream]
    var next = 0
    while next < reached.count {
      let above = definitions[reached[next]]?.parents ?? []
      guard walk.step(1 + above.count) else { break }
      for parent in above where !chosen.contains(parent) {
        if seen.insert(parent).inserted { reached.append(parent) }
      }
      next += 1
    }
    return reached
  }
}
