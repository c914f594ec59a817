public import VarveProbe

/// What streams have in common that one place of a program makes again and again: a page that is
/// opened a hundred times makes a hundred streams that are alike.
public struct StreamLikeness: Hashable, Sendable {
  /// One of them; a reference, while what they have in common would be five words.
  private let stream: StreamDefinition

  /// What a stream has in common with others.
  public init(_ stream: StreamDefinition) { self.stream = stream }

  /// Whether both have the same name, are made by the same operator, and at the same place.
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
