/// A trace's header or, if that is damaged, its copy in the first block.
struct FoundHeader {
  var header: TraceHeader
  /// The position of the first block.
  var end: UInt64
  /// The damage to the header itself, if it could not be read.
  var damage: TraceDamage?

  init(_ file: TraceFile) throws(TraceFileError) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: TraceLimits.headerBytes, alignment: 8)
    defer { bytes.deallocate() }
    let count = try file.read(into: bytes, at: 0)
    let head = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
    switch TraceHeaderCodec.decode(head) {
    case .header(let header, let end):
      self.header = header
      self.end = UInt64(end)
    case .newer(let version):
      throw TraceFileError(
        .newerVersion,
        "\(file.path) has format \(version); this varve reads \(TraceVersion.current) and older. "
          + "Update varve to read it")
    case .cut, .damaged, .notATrace:
      guard let copy = try Self.copy(in: file) else { throw Self.refusal(file, head) }
      header = copy.header
      end = copy.offset
      damage = TraceDamage(
        offset: 0, bytes: copy.offset, reason: "the trace's header is damaged; its copy was read")
    }
  }

  private static func copy(in file: TraceFile) throws(TraceFileError)
    -> (header: TraceHeader, offset: UInt64)?
  {
    let window = FileWindow(file)
    let end = UInt64(TraceLimits.headerBytes)
    var from: UInt64 = 0
    // Only header blocks have checksums that are not seeded with the trace's ID.
    while let offset = try window.findBlock(from: from, before: end, seed: 0) {
      if let header = try header(at: offset, in: file) { return (header, offset) }
      from = offset + 1
    }
    return nil
  }

  private static func header(at offset: UInt64, in file: TraceFile) throws(TraceFileError)
    -> TraceHeader?
  {
    let window = FileWindow(file)
    let head = try window.bytes(at: offset, count: BlockHeader.leastBytes)
    guard let block = BlockHeader(head, seed: 0), block.kind == BlockKind.header,
      block.storedBytes <= TraceLimits.headerBytes
    else { return nil }
    let whole = try window.bytes(at: offset, count: block.wholeBytes)
    guard whole.count == block.wholeBytes,
      case .header(let header, _) = TraceHeaderCodec.decode(
        UnsafeRawBufferPointer(rebasing: whole[block.headerBytes...]))
    else { return nil }
    return header
  }

  private static func refusal(_ file: TraceFile, _ head: UnsafeRawBufferPointer) -> TraceFileError {
    if head.isEmpty {
      return TraceFileError(.notATrace, "\(file.path) is empty: nothing was recorded into it")
    }
    switch TraceHeaderCodec.decode(head) {
    case .cut:
      return TraceFileError(
        .notATrace, "\(file.path) is cut off inside its header: nothing of it can be read")
    case .damaged:
      return TraceFileError(
        .damaged, "\(file.path) has a damaged header, and no copy of it was found", offset: 0)
    case .header, .newer, .notATrace:
      return TraceFileError(
        .notATrace, "\(file.path) is not a Varve trace: it does not begin as one does")
    }
  }
}

extension TraceID {
  /// Reads the ID of the trace at a path; nil if none can be read there.
  package init?(ofTraceAt path: String) {
    guard let file = try? TraceFile(reading: path), let found = try? FoundHeader(file) else {
      return nil
    }
    self = found.header.id
  }
}
