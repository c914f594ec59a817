internal import VarveFormat

/// A flattening that ended for good because one of its inner streams failed, and what its outer
/// source sent in vain afterwards.
struct EndedFlattening {
  let flattening: UInt32
  /// The source of its outer stream, which goes on whoever observes it.
  let source: UInt32
  /// The number of values that the source sent afterwards.
  private(set) var later: UInt64 = 0
  private(set) var firstLater: EventName?
  /// Whether the source had sent several values, so that more were to be expected.
  let wasToGoOn: Bool

  /// The maximum number of streams between the one that is asked about and the flattening.
  private static let mostBetween = 16

  /// Finds the flattening that ended, if `stream` is it or comes from it.
  init?(above stream: UInt32, _ facts: FindingFacts) {
    var stream = stream
    for _ in 0..<Self.mostBetween {
      if facts.is(stream, .makesStreams) {
        let inner = facts.links.inner(of: stream)
        guard inner.contains(where: { facts.failed($0, to: stream) > 0 }),
          let outer = facts.links.inputs(of: stream).first, facts.failed(outer, to: stream) == 0,
          let source = facts.links.sources(of: outer).first(where: { facts.is($0, .hot) })
        else { return nil }
        self.flattening = stream
        self.source = source
        wasToGoOn = facts.history.stream(source)?.values ?? 0 > 1
        return
      }
      guard let parents = facts.definitions.streams[stream]?.parents, parents.count == 1 else {
        return nil
      }
      stream = parents[0]
    }
    return nil
  }

  /// Notes a value of the source after the failure.
  mutating func noteLater(_ event: FindingEvent) {
    later += 1
    if firstLater == nil { firstLater = event.name }
  }
}
