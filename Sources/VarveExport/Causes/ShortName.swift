internal import VarveProbe

/// The part of a derived name that is new beside the stream that feeds it.
enum ShortName {
  /// `….map(_:)` for `keystrokes.map(_:)`; the whole name where nothing can be left out.
  static func text(
    of stream: StreamDefinition, in streams: [UInt32: StreamDefinition], ellipsis: String
  ) -> String {
    guard !stream.isNamed else { return stream.name }
    for parent in stream.parents {
      guard let name = streams[parent]?.name, name.utf8.count > ellipsis.utf8.count else {
        continue
      }
      if stream.name.hasPrefix(name + ".") {
        return ellipsis + stream.name.dropFirst(name.count)
      }
    }
    return stream.name
  }
}
