/// A scan for the blocks of a file: through its index if it was finished, otherwise from header to
/// header. Where there is no header, it searches for the next one with a valid checksum.
final class FileScan {
  private let file: TraceFile
  private let window: FileWindow
  private let source: BlockSource
  // Blocks are read while the listed headers are still in use.
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

  /// Returns the contents of the whole file, whose first block begins at `start`.
  func contents(from start: UInt64) throws(TraceFileError) -> TraceContents {
    let size = try file.size()
    if let indexed = try indexedContents(from: start, size: size) { return indexed }
    var contents = TraceContents(from: start)
    try extend(&contents, to: size)
    return contents
  }

  /// Adds the blocks between `contents.end` and `size`.
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

  /// A finding of a walk.
  enum Step {
    /// A block with a sound header; `bytes` begins with it and may be cut off after it.
    case block(bytes: UnsafeRawBufferPointer, header: BlockHeader, offset: UInt64)
    /// Bytes that are not a block.
    case gap(TraceDamage)
  }

  /// Walks from block to block. Returns the bytes after the last whole block as damage, if any.
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

  /// Returns the contents of the whole file, with the payloads of all blocks except event blocks
  /// checked against their checksums. The contents of blocks without events are left out.
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
    // Events are checked when they are decoded; the other kinds were checked when they were read.
    case BlockKind.events, BlockKind.definitions, BlockKind.losses, BlockKind.anchors: return
    default: break
    }
    do throws(TraceFileError) {
      _ = try source.block(at: offset, bytes: header.wholeBytes)
    } catch {
      guard error.code == .damaged else { throw error }
      contents.report(
        error.message, at: offset, bytes: header.wholeBytes, mayHoldEvents: false)
    }
  }

  // MARK: - The index

  /// Returns the contents according to the index; nil if there is none, or if it contradicts itself
  /// or the file.
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

  /// Returns the chain of index blocks from the last to the first; nil if it is broken.
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

  /// Adds the blocks listed in an index block; returns false if it contradicts itself.
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
