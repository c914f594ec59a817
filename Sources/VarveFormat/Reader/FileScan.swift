/// Finds the blocks of a file: by its index when it was finished, else by walking from header to
/// header. Where no header is, the next one whose checksum holds is searched for.
final class FileScan {
  private let file: TraceFile
  private let window: FileWindow
  private let source: BlockSource
  // The listed headers are read while the blocks that they head are.
  private let indexSource: BlockSource
  private let seed: UInt32
  private var isThorough = false

  init(_ file: TraceFile, seed: UInt32) {
    self.file = file
    self.seed = seed
    window = FileWindow(file)
    source = BlockSource(file, seed: seed)
    indexSource = BlockSource(file, seed: seed)
  }

  /// The contents of the whole file, whose first block begins at `start`.
  func contents(from start: UInt64) throws(TraceFileError) -> TraceContents {
    let size = try file.size()
    if let indexed = try indexedContents(from: start, size: size) { return indexed }
    var contents = TraceContents(from: start)
    try extend(&contents, to: size)
    return contents
  }

  /// Adds what lies between `contents.end` and `size`.
  func extend(_ contents: inout TraceContents, to size: UInt64) throws(TraceFileError) {
    contents.tail = nil
    contents.tail = try walk(from: contents.end, to: size) { step throws(TraceFileError) in
      switch step {
      case .gap(let damage):
        contents.report(damage.reason, at: damage.offset, bytes: Int(damage.bytes))
      case .block(let bytes, let header, let offset):
        try contents.add(bytes, header, at: offset) { () throws(TraceFileError) in
          try source.payload(header, at: offset)
        }
        if isThorough { try check(header, at: offset, &contents) }
      }
    }
  }

  /// What a walk comes by.
  enum Step {
    /// A block whose header is sound; `bytes` begins with it and may be cut off behind it.
    case block(bytes: UnsafeRawBufferPointer, header: BlockHeader, offset: UInt64)
    /// Bytes without a block.
    case gap(TraceDamage)
  }

  /// Walks from block to block. Returns what lies behind the last whole block.
  func walk(
    from start: UInt64, to size: UInt64, _ visit: (Step) throws(TraceFileError) -> Void
  ) throws(TraceFileError) -> TraceDamage? {
    var offset = start
    while offset < size {
      let bytes = try window.bytes(at: offset, count: TraceLimits.blockHeaderBytes)
      guard let header = BlockHeader(bytes, seed: seed) else {
        guard let next = try window.findBlock(from: offset + 1, before: size, seed: seed) else {
          return TraceDamage(offset: offset, bytes: size - offset, reason: "no block begins here")
        }
        try visit(
          .gap(
            TraceDamage(
              offset: offset, bytes: next - offset,
              reason: "no block begins here, or its header is damaged")))
        offset = next
        continue
      }
      guard UInt64(header.wholeBytes) <= size - offset else {
        return TraceDamage(
          offset: offset, bytes: size - offset, reason: "the file ends inside a block")
      }
      try visit(.block(bytes: bytes, header: header, offset: offset))
      offset += UInt64(header.wholeBytes)
    }
    return nil
  }

  /// The contents of the whole file with the payloads of all blocks checked against their
  /// checksums, but those of event blocks. What blocks without events say is not among them.
  func checkedContents(from start: UInt64) throws(TraceFileError) -> TraceContents {
    isThorough = true
    var contents = TraceContents(from: start, keepsFacts: false)
    try extend(&contents, to: file.size())
    return contents
  }

  private func check(_ header: BlockHeader, at offset: UInt64, _ contents: inout TraceContents)
    throws(TraceFileError)
  {
    switch header.kind {
    // Events are checked when they are decoded, and these were when they were read.
    case BlockKind.events, BlockKind.definitions, BlockKind.losses, BlockKind.anchors: return
    default: break
    }
    do throws(TraceFileError) {
      _ = try source.block(at: offset, bytes: header.wholeBytes)
    } catch {
      guard error.code == .damaged else { throw error }
      contents.report(error.message, at: offset, bytes: header.wholeBytes)
    }
  }

  // MARK: - The index

  /// What the index tells; nil when there is none, or when it contradicts itself or the file.
  private func indexedContents(from start: UInt64, size: UInt64) throws(TraceFileError)
    -> TraceContents?
  {
    guard size >= start + UInt64(Trailer.headerBytes) else { return nil }
    let trailerOffset = size - UInt64(Trailer.headerBytes)
    let bytes = try window.bytes(at: trailerOffset, count: Trailer.headerBytes)
    guard let header = BlockHeader(bytes, seed: seed), header.wholeBytes == Trailer.headerBytes,
      let trailer = Trailer(bytes, header),
      let links = try chain(from: trailer.lastIndex, before: trailerOffset)
    else { return nil }
    var contents = TraceContents(from: start)
    for link in links.reversed() {
      guard try add(link, to: &contents) else { return nil }
    }
    guard contents.end == trailerOffset else { return nil }
    contents.finish(trailer, at: size)
    return contents
  }

  private struct FoundIndex {
    var offset: UInt64
    var header: BlockHeader
    var link: IndexLink
  }

  /// The chain of index blocks from the last to the first; nil when it is broken.
  private func chain(from last: UInt64, before end: UInt64) throws(TraceFileError)
    -> [FoundIndex]?
  {
    var found: [FoundIndex] = []
    var offset = last
    var end = end
    while offset != 0 {
      guard offset < end else { return nil }
      let bytes = try window.bytes(at: offset, count: TraceLimits.blockHeaderBytes)
      guard let header = BlockHeader(bytes, seed: seed), let link = IndexLink(bytes, header),
        UInt64(header.wholeBytes) <= end - offset
      else { return nil }
      found.append(FoundIndex(offset: offset, header: header, link: link))
      end = offset
      offset = link.previous
    }
    return found
  }

  /// Adds the blocks that an index block lists; false when it contradicts itself.
  private func add(_ index: FoundIndex, to contents: inout TraceContents)
    throws(TraceFileError) -> Bool
  {
    guard index.link.first == contents.end, contents.end <= index.offset else { return false }
    let headers: UnsafeRawBufferPointer
    do throws(TraceFileError) {
      headers = try indexSource.payload(index.header, at: index.offset)
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
    var offset = index.link.first
    var position = 0
    for _ in 0..<index.link.count {
      let bytes = UnsafeRawBufferPointer(rebasing: headers[position...])
      guard let header = BlockHeader(bytes, seed: seed),
        UInt64(header.wholeBytes) <= index.offset - offset
      else { return false }
      try contents.add(bytes, header, at: offset) { () throws(TraceFileError) in
        try source.payload(header, at: offset)
      }
      position += header.headerBytes
      offset += UInt64(header.wholeBytes)
    }
    guard offset == index.offset else { return false }
    contents.end = index.offset + UInt64(index.header.wholeBytes)
    return true
  }
}
