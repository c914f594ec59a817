public import VarveProbe

/// The properties shared by streams that one place of a program creates repeatedly: a page that is
/// opened a hundred times creates a hundred similar streams.
public struct StreamLikeness: Hashable, Sendable {
  /// One of the streams: a reference, where the shared properties would take five words.
  private let stream: StreamDefinition

  /// Creates the likeness of a stream.
  public init(_ stream: StreamDefinition) { self.stream = stream }

  /// Returns whether both have the same name, operator and place.
  public static func == (one: StreamLikeness, other: StreamLikeness) -> Bool {
    one.stream.name == other.stream.name && one.stream.operation == other.stream.operation
      && one.stream.place == other.stream.place
  }

  /// Hashes name, operator and place.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(stream.name)
    hasher.combine(stream.operation)
    hasher.combine(stream.place)
  }
}
