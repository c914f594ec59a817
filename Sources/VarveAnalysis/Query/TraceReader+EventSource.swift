public import VarveFormat

extension TraceReader: EventSource {
  /// They may: the reader keeps a decoder for each thread.
  public var decodesConcurrently: Bool { true }

  /// When the recording began, in nanoseconds since 1970, UTC.
  public var started: UInt64 { header.process.started }

  /// The ID of the recorded process.
  public var pid: UInt32 { header.process.pid }
}
