public import VarveFormat
public import VarveProbe

/// The places in the program's source where streams were made.
public struct StreamPlaces {
  private let streams: [UInt32: StreamDefinition]
  /// For each stream, the stream that gives it its name.
  private let namings: [UInt32: UInt32]
  /// The places of operators, found from the stacks in which they were made.
  private let operators: OperatorPlaces?

  /// Takes the places from a trace's definitions. `symbols` finds the places of operators in their
  /// stacks; when it is nil, operators have none.
  public init(_ definitions: TraceDefinitions, symbols: Symbolizer? = nil) {
    streams = definitions.streams
    operators = symbols.map { OperatorPlaces(definitions, $0) }
    var namings: [UInt32: UInt32] = [:]
    for stream in definitions.streams.values where stream.isNamed {
      guard stream.traits?.contains(.renames) == true, let named = stream.parents.first else {
        continue
      }
      namings[named] = min(namings[named] ?? .max, stream.id)
    }
    self.namings = namings
  }

  /// The operators that begin their inputs on a scheduler of their own.
  var startingElsewhere: Set<UInt32> {
    Set(streams.values.lazy.filter { $0.traits?.contains(.startsElsewhere) == true }.map(\.id))
  }

  /// Returns the stream that gives this one its name, if it has none of its own: `results` for the
  /// flattening in `queries.flatMap { … }.named("results")`.
  public func named(_ stream: UInt32) -> UInt32 {
    streams[stream]?.isNamed == false ? namings[stream] ?? stream : stream
  }

  /// Returns the place where a stream was made, if known.
  public func exact(_ stream: UInt32) -> Place? {
    streams[stream].flatMap { $0.place ?? operators?[$0] }
  }

  /// Returns the place that a stream was given explicitly, as roots and names are.
  func told(_ stream: UInt32) -> Place? { streams[stream]?.place }

  /// Returns whether values of `upper` may reach `lower` through the streams that it was made from,
  /// or both are the same stream; false when the limits of `walk` are reached first.
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

  /// The maximum number of streams examined when looking for a place; streams farther away are not
  /// near.
  private static let mostNear = 4_096

  /// Returns the place where this stream is given its name or, if there is none, where the nearest
  /// stream that leads to it was made: an operator is usually on a line nearby.
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
