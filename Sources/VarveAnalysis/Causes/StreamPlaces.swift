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
      guard stream.operation == "named(_:)", let named = stream.parents.first else { continue }
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

  /// Whether values of a stream may reach another by what that was made from, or they are one.
  func leads(from upper: UInt32, to lower: UInt32) -> Bool {
    var seen: Set<UInt32> = [lower]
    var open = [lower]
    while let next = open.popLast() {
      if next == upper { return true }
      open += (streams[next]?.parents ?? []).filter { seen.insert($0).inserted }
    }
    return false
  }

  /// Where this stream is given its name, or else where the nearest stream was made that leads to it:
  /// an operator usually stands on a line near that.
  public func near(_ stream: UInt32) -> Place? {
    if let place = streams[named(stream)]?.place { return place }
    var seen: Set<UInt32> = [stream]
    var level = [stream]
    while !level.isEmpty {
      level = level.flatMap { streams[$0]?.parents ?? [] }.filter { seen.insert($0).inserted }
      if let place = level.lazy.compactMap({ streams[$0]?.place }).first { return place }
    }
    return nil
  }
}
