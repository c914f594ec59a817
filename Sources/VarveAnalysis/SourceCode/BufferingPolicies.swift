internal import VarveProbe

/// Finds, in the source of the call that makes an asynchronous stream, where its buffering policy is chosen.
struct BufferingPolicies {
  private var sources = SourceLines()

  /// The maximum number of lines of a call.
  private static let mostLines = 8

  /// Returns that line, by the frame that makes the stream; nil if there is none, or if the source is not
  /// there.
  mutating func policy(of maker: NamedFrame) -> Place? {
    guard let file = maker.file, maker.line > 0, let lines = sources.lines(of: file) else {
      return nil
    }
    let call = lines.dropFirst(Int(maker.line) - 1).prefix(Self.mostLines)
    return call.firstIndex { $0.contains("uffering") }
      .map { Place(path: file, line: UInt32($0) + 1) }
  }
}
