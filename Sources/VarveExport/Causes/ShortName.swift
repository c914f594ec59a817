internal import VarveProbe

/// The part of a derived name that the name of its parent does not already say.
enum ShortName {
  /// Returns `….map(_:)` for `keystrokes.map(_:)`, or the whole name if no prefix can be left out.
  static func text(
    of stream: StreamDefinition, in streams: [UInt32: StreamDefinition], ellipsis: String
  ) -> String {
    text(of: stream, after: stream.parents.compactMap { streams[$0]?.name }, ellipsis: ellipsis)
  }

  /// Returns `map(_:)` for `keystrokes.map(_:)`, also when the stream has a name of its own.
  static func step(of stream: StreamDefinition, in streams: [UInt32: StreamDefinition]) -> String {
    let parents = stream.parents.compactMap { streams[$0] }
    let whole = stream.derivation
    for name in parents.map(\.derivation) + parents.map(\.name) where whole.hasPrefix(name + ".") {
      return String(whole.dropFirst(name.count + 1))
    }
    return stream.name
  }

  /// Returns the short form relative to parents with these names.
  static func text(of stream: StreamDefinition, after names: [String], ellipsis: String) -> String {
    guard !stream.isNamed else { return stream.name }
    for name in names where name.utf8.count > ellipsis.utf8.count {
      if stream.name.hasPrefix(name + ".") {
        return ellipsis + stream.name.dropFirst(name.count)
      }
      // What a producer starts has the producer's name.
      if stream.name == name, !stream.operation.isEmpty {
        return ellipsis + "." + stream.operation
      }
    }
    return stream.name
  }
}
