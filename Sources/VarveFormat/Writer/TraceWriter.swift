/// Writes a trace file: a header, blocks as they come, an index and a trailer at the end.
///
/// Every append is one block and one `write`; when it returns, the block is in the file as far as
/// this process can do anything about it. When it throws, nothing of the block counts: the file is
/// as before, and the same append may be tried again.
///
/// A writer belongs to one thread at a time. It keeps its buffers: after the first blocks it
/// allocates nothing per event.
public final class TraceWriter {
  /// What the file's header says.
  public let header: TraceHeader
  /// Events written so far.
  public private(set) var events: UInt64 = 0
  /// Bytes written so far.
  public private(set) var bytes: UInt64 = 0

  let file: TraceFile
  private let seed: UInt32
  private let encoder: EventEncoder
  private let packer: PayloadPacker
  private var index = IndexBuilder()
  private var isFinished = false

  /// Creates a file at `path`, in the place of one that is there, and writes the header.
  public convenience init(creating path: String, header: TraceHeader) throws(TraceFileError) {
    try self.init(TraceFile(creating: path), header: header)
  }

  /// Creates a file as `init(creating:header:)` does, for a trace that will be called `name`.
  package convenience init(creating path: String, for name: String, header: TraceHeader)
    throws(TraceFileError)
  {
    try self.init(TraceFile(creating: path, for: name), header: header)
  }

  /// Writes the header to an open, empty file. The writer closes `descriptor` when it goes away.
  public convenience init(descriptor: Int32, header: TraceHeader) throws(TraceFileError) {
    try self.init(TraceFile(descriptor: descriptor), header: header)
  }

  private init(_ file: TraceFile, header: TraceHeader) throws(TraceFileError) {
    self.file = file
    self.header = header
    seed = header.id.seed
    let deflater = Deflater()
    encoder = EventEncoder(deflater: deflater)
    packer = PayloadPacker(deflater: deflater)
    let encoded = TraceHeaderCodec.encode(header)
    try write(encoded)
    index.first = bytes
    try append(BlockKind.header, payload: encoded)
  }

  /// Writes records, whole and one after the other as they lie in a ring, as one block of columns;
  /// as several if there are very many. When one of several cannot be written, those before it are
  /// in the file, and `events` tells how many there are.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - ring: the ring's id.
  ///   - firstSequence: the number of the first of them in its ring, from 1.
  public func append(records: UnsafeRawBufferPointer, ring: UInt32, firstSequence: UInt64)
    throws(TraceFileError)
  {
    var rest = records
    var sequence = firstSequence
    while !rest.isEmpty {
      let block = encoder.encode(
        rest, enough: rest.count, ring: ring, firstSequence: sequence)
      guard block.extent.flaw == nil else {
        throw TraceFileError(
          .wrongUse,
          "record \(sequence &+ UInt64(block.extent.count)) of ring \(ring) is not sound: "
            + "its lengths or its number contradict the rest")
      }
      try write(block)
      sequence += UInt64(block.extent.count)
      rest = UnsafeRawBufferPointer(rebasing: rest[block.extent.bytes...])
    }
  }

  /// Writes one block of the records that begin in the first `enough` bytes: of all of them, of as
  /// many as a block holds, or of those before one that is not sound. Tells how many those are; if
  /// it is none, nothing is written.
  package func append(
    blockOf records: UnsafeRawBufferPointer, enough: Int, ring: UInt32, firstSequence: UInt64
  ) throws(TraceFileError) -> RingRecords.Extent {
    let block = encoder.encode(
      records, enough: enough, ring: ring, firstSequence: firstSequence)
    if block.extent.count > 0 { try write(block) }
    return block.extent
  }

  private func write(_ block: EventEncoder.Block) throws(TraceFileError) {
    try write(
      events: block.extent.count, encoder.out, headerBytes: block.headerBytes,
      codec: BlockCodec.columns, rawBytes: block.extent.bytes)
  }

  private func write(
    events count: Int, _ buffer: BlockBuffer, headerBytes: Int, codec: UInt8, rawBytes: Int
  ) throws(TraceFileError) {
    // Readers before 1.2 want to know it.
    buffer.part(0..<headerBytes).put(events + 1, at: EventBlockHeader.Layout.firstEvent.offset)
    try write(
      buffer, headerBytes: headerBytes, kind: BlockKind.events, codec: codec, rawBytes: rawBytes)
    events += UInt64(count)
  }

  /// Writes a whole block of another file of the same trace as it is. Headers, indices and trailers
  /// are a writer's own.
  func append(copyOf block: UnsafeRawBufferPointer, _ header: BlockHeader) throws(TraceFileError) {
    packer.out.removeAll()
    packer.out.append(block)
    try write(
      packer.out, headerBytes: header.headerBytes, kind: header.kind, codec: header.codec,
      rawBytes: header.rawBytes)
  }

  /// Writes a block of events as another file of the same trace holds it.
  package func append(copyOf block: BlockSummary, from source: BlockSource) throws(TraceFileError) {
    guard let offset = block.offset else { return }
    let (found, bytes) = try source.block(at: offset, bytes: Int(block.storedBytes))
    packer.begin(headerBytes: 0)
    packer.out.append(bytes)
    try write(
      events: block.count, packer.out, headerBytes: found.headerBytes, codec: found.codec,
      rawBytes: found.rawBytes)
  }

  /// Writes definitions. They must be in the file before the block whose records refer to them.
  public func append(definitions: some Sequence<TraceDefinition>) throws(TraceFileError) {
    var log: [UInt8] = []
    for definition in definitions {
      DefinitionCodec.append(definition, to: &log)
      if log.count >= TraceLimits.definitionBytesWritten {
        try append(definitionLog: log)
        log.removeAll(keepingCapacity: true)
      }
    }
    try append(definitionLog: log)
  }

  /// Writes definitions as `DefinitionCodec` has encoded them, one after the other.
  public func append(definitionLog: UnsafeRawBufferPointer) throws(TraceFileError) {
    var rest = definitionLog
    while !rest.isEmpty {
      let length = DefinitionLog.extent(of: rest, most: TraceLimits.definitionBytesWritten)
      guard length > 0 else { return }
      let part = UnsafeRawBufferPointer(rebasing: rest[..<length])
      packer.pack(part, headerBytes: BlockHeader.leastBytes)
      try write(
        packer.out, headerBytes: BlockHeader.leastBytes, kind: BlockKind.definitions,
        codec: BlockCodec.deflated, rawBytes: length)
      rest = UnsafeRawBufferPointer(rebasing: rest[length...])
    }
  }

  /// Writes that events are missing.
  public func append(losses: [TraceLoss]) throws(TraceFileError) {
    var rest = losses[...]
    while !rest.isEmpty {
      var payload: [UInt8] = []
      for loss in rest.prefix(TraceLimits.lossesWritten) { LossEntry.append(loss, to: &payload) }
      try append(BlockKind.losses, payload: payload)
      rest = rest.dropFirst(TraceLimits.lossesWritten)
    }
  }

  /// Writes what the monotonic clock showed at some tick.
  public func append(anchor: ClockAnchor) throws(TraceFileError) {
    var payload: [UInt8] = []
    AnchorEntry.append(anchor, to: &payload)
    try append(BlockKind.anchors, payload: payload)
  }

  /// Writes the index and the trailer. Nothing may be appended afterwards.
  public func finish(ending: TraceEnding) throws(TraceFileError) {
    precondition(ending != .running, "a trace that is finished is not running")
    try writeIndex()
    let trailer = Trailer(lastIndex: index.previous, events: events, ending: ending)
    packer.begin(headerBytes: Trailer.headerBytes)
    trailer.fill(packer.out.part(0..<Trailer.headerBytes))
    try write(
      packer.out, headerBytes: Trailer.headerBytes, kind: BlockKind.trailer,
      codec: BlockCodec.stored, rawBytes: 0)
    isFinished = true
  }

  // MARK: - Blocks

  private func append(definitionLog bytes: [UInt8]) throws(TraceFileError) {
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(TraceFileError) in try append(definitionLog: bytes) }
    }
    try outcome.get()
  }

  /// Writes a block whose payload is stored as it is and which has no fields of its own.
  private func append(_ kind: UInt8, payload: [UInt8]) throws(TraceFileError) {
    packer.begin(headerBytes: BlockHeader.leastBytes)
    payload.withUnsafeBytes { packer.out.append($0) }
    try write(
      packer.out, headerBytes: BlockHeader.leastBytes, kind: kind, codec: BlockCodec.stored,
      rawBytes: payload.count)
  }

  /// Seals and writes the block in `buffer`, and lists it in the index.
  private func write(
    _ buffer: BlockBuffer, headerBytes: Int, kind: UInt8, codec: UInt8, rawBytes: Int
  ) throws(TraceFileError) {
    precondition(!isFinished, "nothing can be appended to a trace that is finished")
    let header = buffer.part(0..<headerBytes)
    BlockHeader.seal(
      header, kind: kind, codec: codec, rawBytes: rawBytes,
      payload: UnsafeRawBufferPointer(rebasing: buffer.bytes[headerBytes...]), seed: seed)
    try file.write(buffer.bytes, at: bytes)
    let offset = bytes
    bytes += UInt64(buffer.count)
    switch kind {
    case BlockKind.trailer: break
    case BlockKind.index: index.wasWritten(at: offset, end: bytes)
    default:
      index.add(UnsafeRawBufferPointer(header))
      // A full disk must not fail the block that is already in the file: the index is tried again
      // with the next one.
      if index.isFull { try? writeIndex() }
    }
  }

  private func writeIndex() throws(TraceFileError) {
    guard index.count > 0 else { return }
    let link = index.link
    index.headers.withUnsafeBytes { packer.pack($0, headerBytes: IndexBlock.headerBytes) }
    link.fill(packer.out.part(0..<IndexBlock.headerBytes))
    try write(
      packer.out, headerBytes: IndexBlock.headerBytes, kind: BlockKind.index,
      codec: BlockCodec.deflated, rawBytes: index.headers.count)
  }

  private func write(_ encoded: [UInt8]) throws(TraceFileError) {
    let outcome = encoded.withUnsafeBytes { encoded in
      Result { () throws(TraceFileError) in try file.write(encoded, at: bytes) }
    }
    try outcome.get()
    bytes += UInt64(encoded.count)
  }
}
