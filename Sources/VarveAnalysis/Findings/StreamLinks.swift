internal import VarveFormat
internal import VarveProbe

/// Which streams were made from which, which observed which, and what follows for the meaning of
/// their values. All of it is found from definitions and the history, without reading events.
struct StreamLinks {
  private let history: TraceHistory
  private let definitions: TraceDefinitions
  private let walk: TraceWalk
  /// The streams made from each stream.
  private let children: [UInt32: [UInt32]]
  /// The streams that each stream observed.
  private let observed: [UInt32: [UInt32]]
  /// For each stream, those that observe it from outside: 0, and what it is bound to.
  private let outside: [UInt32: [UInt32]]

  /// The maximum number of streams examined in one search.
  private static let mostSearched = 256

  init(_ history: TraceHistory, _ definitions: TraceDefinitions, _ walk: TraceWalk) {
    self.history = history
    self.definitions = definitions
    self.walk = walk
    var children: [UInt32: [UInt32]] = [:]
    for stream in definitions.streams.values {
      for parent in Set(stream.parents) { children[parent, default: []].append(stream.id) }
    }
    self.children = children.mapValues { $0.sorted() }
    var observed: [UInt32: [UInt32]] = [:]
    var outside: [UInt32: [UInt32]] = [:]
    for edge in history.subscriptions.connected {
      if edge.to != 0 { observed[edge.to, default: []].append(edge.from) }
      if Self.isOutside(edge.to, definitions) { outside[edge.from, default: []].append(edge.to) }
    }
    self.observed = observed.mapValues { $0.sorted() }
    self.outside = outside
  }

  private static func isOutside(_ stream: UInt32, _ definitions: TraceDefinitions) -> Bool {
    guard stream != 0 else { return true }
    guard let target = definitions.streams[stream] else { return false }
    return target.parents.isEmpty && target.traits?.contains(.hot) == true
  }

  /// Returns whether a stream is where streams end: an observer outside all of them, which has the
  /// number 0, or a property or input that they are bound to.
  func isOutside(_ stream: UInt32) -> Bool { Self.isOutside(stream, definitions) }

  /// The observers of a stream that are outside all streams, and what it is bound to.
  func outside(of stream: UInt32) -> [UInt32] { outside[stream] ?? [] }

  func traits(_ stream: UInt32) -> StreamTraits { definitions.streams[stream]?.traits ?? [] }

  /// The streams made from a stream.
  func made(from stream: UInt32) -> [UInt32] { children[stream] ?? [] }

  /// The streams that a stream observed, be they its inputs or inner streams.
  func observed(by stream: UInt32) -> [UInt32] { observed[stream] ?? [] }

  /// The inputs that an operator was made with. What only stands for a signal or property is
  /// replaced by that when it was observed in its place.
  func inputs(of stream: UInt32) -> [UInt32] {
    let observed = self.observed[stream] ?? []
    return (definitions.streams[stream]?.parents ?? []).map { parent in
      guard !observed.contains(parent), traits(parent).contains(.standsIn),
        let source = definitions.streams[parent]?.parents.first
      else { return parent }
      return source
    }
  }

  /// The inner streams of a flattening.
  func inner(of stream: UInt32) -> [UInt32] {
    let inputs = inputs(of: stream)
    return observed(by: stream).filter { !inputs.contains($0) }
  }

  // MARK: - What values mean

  /// Returns whether a stream consists of the changes of a property: only then the producer that
  /// stands for it replays.
  func isProperty(_ stream: UInt32) -> Bool {
    made(from: stream).contains { traits($0).isSuperset(of: [.standsIn, .replays]) }
  }

  /// Returns whether each value of a stream replaces the one before it, because it comes from a
  /// property or an operator that keeps the newest one: of such a stream, only the last value
  /// counts.
  func isState(_ stream: UInt32) -> Bool {
    contains(upTo: stream) { traits in
      traits.contains(.replays) || traits.contains(.replaces) && !traits.contains(.makesStreams)
    }
  }

  /// Returns whether values of a stream are gathered further on, so that each of them counts.
  func isGathered(_ stream: UInt32) -> Bool {
    search(from: stream) { next in
      let streams = made(from: next)
      return (streams.contains { traits($0).contains(.gathers) && isObserved($0) }, streams)
    }
  }

  /// Returns whether code with side effects runs when a stream is started. What is shared with
  /// other observers does not count.
  func startsEffects(_ stream: UInt32) -> Bool {
    search(from: stream) { next in
      let traits = traits(next)
      if traits.contains(.hot) || traits.contains(.replays) || isProperty(next) {
        return (false, [])
      }
      let parents = definitions.streams[next]?.parents ?? []
      return (traits.contains(.hasEffects), parents + observed(by: next))
    }
  }

  /// The sources of a stream: what it was made from, as far as streams lead.
  func sources(of stream: UInt32) -> [UInt32] {
    var sources: [UInt32] = []
    _ = search(from: stream) { next in
      let parents = definitions.streams[next]?.parents ?? []
      if parents.isEmpty { sources.append(next) }
      return (false, parents)
    }
    return sources
  }

  private func isObserved(_ stream: UInt32) -> Bool {
    (history.stream(stream)?.subscriptions ?? 0) > 0
  }

  private func contains(upTo stream: UInt32, _ matches: (StreamTraits) -> Bool) -> Bool {
    search(from: stream) { (matches(traits($0)), definitions.streams[$0]?.parents ?? []) }
  }

  /// Visits streams from one on until `visit` returns true, with the streams to visit next.
  private func search(from stream: UInt32, _ visit: (UInt32) -> (Bool, [UInt32])) -> Bool {
    var seen: Set<UInt32> = [stream]
    var open = [stream]
    while let next = open.popLast(), seen.count <= Self.mostSearched, walk.step() {
      let (isFound, further) = visit(next)
      if isFound { return true }
      for stream in further where seen.insert(stream).inserted { open.append(stream) }
    }
    return false
  }
}
