internal import VarveProbe

/// The part of a derived name that the name of its parent does not already say.
enum ShortName {
  /// Returns `….map(_:)` for `keystrokes.map(_:)`, or the whole name if no prefix can be left out.
  static func text(
    of stream: StreamDefinition, in streams: [UInt32: StreamDefinition], ellipsis: String
  ) -> String {
    text(of: stream, after: stream.parents.compactMap { streams[$0]?.name }, ellipsis: ellipsis)
  }

  /// Returns the short form relative to parents with these names.
  static func text(of stream: StreamDefinition, after names: [String], ellipsis: String) -> String {
    guard !stream.isNamed else { return stream.name }
    for name in names where name.utf8.count > ellipsis.utf8.count {
      if stream.name.hasPrefix(name + ".") {
        return ellipsis + stream.name.dropFirst(name.count)
      }
    }
    return stream.name
  }
}
