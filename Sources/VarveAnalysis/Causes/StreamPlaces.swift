public import VarveFormat
public import VarveProbe

/// Where in the program's source streams were made.
public struct StreamPlaces: Sendable {
  private let streams: [UInt32: StreamDefinition]

  /// Takes the places from a trace's definitions.
  public init(_ definitions: TraceDefinitions) { streams = definitions.streams }

  /// Where a stream was made, when the trace knows.
  public func exact(_ stream: UInt32) -> Place? { streams[stream]?.place }

  /// Where the nearest stream was made that leads to this one, when its own place is not known: an
  /// operator usually stands on a line near it.
  public func near(_ stream: UInt32) -> Place? {
    var seen: Set<UInt32> = [stream]
    var level = [stream]
    while !level.isEmpty {
      level = level.flatMap { streams[$0]?.parents ?? [] }.filter { seen.insert($0).inserted }
      if let place = level.lazy.compactMap({ streams[$0]?.place }).first { return place }
    }
    return nil
  }
}
