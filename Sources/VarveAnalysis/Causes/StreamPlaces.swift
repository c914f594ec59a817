public import VarveFormat
public import VarveProbe

/// Where in the program's source streams were made.
public struct StreamPlaces: Sendable {
  private let streams: [UInt32: StreamDefinition]
  /// The stream that gives another its name, by that other.
  private let namings: [UInt32: UInt32]
  /// The places of operators, which are known by the stacks they were made in.
  private let operators: [UInt32: Place]

  /// Takes the places from a trace's definitions. The code in which operators were made is named by
  /// `symbols`; nil leaves them without places of their own.
  public init(_ definitions: TraceDefinitions, symbols: Symbolizer? = nil) {
    streams = definitions.streams
    operators = symbols.map { OperatorPlaces.find(definitions, $0) } ?? [:]
    var namings: [UInt32: UInt32] = [:]
    for stream in definitions.streams.values where stream.isNamed {
      guard stream.traits?.contains(.renames) == true, let named = stream.parents.first else {
        continue
      }
      namings[named] = min(namings[named] ?? .max, stream.id)
    }
    self.namings = namings
  }

  /// The stream that gives this one its name, where this one has none: `results` of
  /// `queries.flatMap { … }.named("results")`.
  public func named(_ stream: UInt32) -> UInt32 {
    streams[stream]?.isNamed == false ? namings[stream] ?? stream : stream
  }

  /// Where a stream was made, when the trace knows.
  public func exact(_ stream: UInt32) -> Place? {
    streams[stream]?.place ?? operators[stream]
  }

  /// Where a stream was made that somebody gave a place: a root, or a name.
  func told(_ stream: UInt32) -> Place? { streams[stream]?.place }

  /// Whether values of a stream may reach another by what that was made from, or they are one; no when
  /// the `walk` may not go far enough to find it out.
  func leads(from upper: UInt32, to lower: UInt32, _ walk: TraceWalk) -> Bool {
    var seen: Set<UInt32> = [lower]
    var open = [lower]
    while let next = open.popLast() {
      if next == upper { return true }
      for parent in streams[next]?.parents ?? [] {
        guard walk.step() else { return false }
        if seen.insert(parent).inserted { open.append(parent) }
      }
    }
    return false
  }

  /// So many streams are looked at for a place: what lies farther away is not near.
  private static let mostNear = 4_096

  /// Where this stream is given its name, or else where the nearest stream was made that leads to it:
  /// an operator usually stands on a line near that.
  public func near(_ stream: UInt32) -> Place? {
    if let place = streams[named(stream)]?.place { return place }
    var seen: Set<UInt32> = [stream]
    var reached = [stream]
    var looked = 0
    var next = 0
    while next < reached.count {
      for parent in streams[reached[next]]?.parents ?? [] {
        looked += 1
        guard looked <= Self.mostNear else { return nil }
        guard seen.insert(parent).inserted else { continue }
        if let place = streams[parent]?.place { return place }
        reached.append(parent)
      }
      next += 1
    }
    return nil
  }
}
