public import VarveProbe

/// What streams have in common that one place of a program makes again and again: a page that is
/// opened a hundred times makes a hundred streams that are alike.
public struct StreamLikeness: Hashable, Sendable {
  private let name: String
  private let operation: String
  private let place: Place?

  /// What a stream has in common with others.
  public init(_ stream: StreamDefinition) {
    name = stream.name
    operation = stream.operation
    place = stream.place
  }
}
