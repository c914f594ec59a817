internal import VarveProbe

/// Writes a trace again without the values that it holds: the structure stays, with every time,
/// stream, cause and type, and each value becomes one that is private.
///
/// The program's arguments and the host's name are left out, too. Names of streams and types stay.
public enum TraceScrub {
  /// Writes the scrubbed trace.
  ///
  /// - Parameters:
  ///   - reader: the trace.
  ///   - path: where the scrubbed trace is written.
  ///   - replacing: whether what is at `path` may be replaced.
  ///   - progress: told from time to time how far it has got.
  ///   - removes: whether the values of the stream with this id are to go; of records that belong to
  ///     no stream, 0.
  /// - Throws: a `TraceFileError`, as `TraceRepair.write` does.
  @discardableResult
  public static func write(
    _ reader: TraceReader, to path: String, replacing: Bool = false,
    progress: RewriteProgress = { _, _ in }, removing removes: (UInt32) -> Bool = { _ in true }
  ) throws(TraceFileError) -> RewriteOutcome {
    guard reader.ending != .running else {
      throw TraceFileError(
        .wrongUse, "\(reader.path) is still being recorded; it can be scrubbed when that is over")
    }
    var header = reader.header
    // Another content, another trace: what was recorded beside the old one must not be taken for
    // a part of this.
    header.id = .random()
    header.process.arguments = []
    header.process.host = ""
    let file = try RewrittenFile(path, replacing: replacing)
    return try file.write(header: header) { writer throws(TraceFileError) in
      try writer.append(definitions: reader.definitions.all)
      try writer.append(losses: reader.losses)
      for anchor in reader.time.anchors.dropFirst() { try writer.append(anchor: anchor) }
      var outcome = try copyEvents(of: reader, to: writer, removes, progress)
      try writer.finish(ending: reader.ending)
      outcome.bytes = writer.bytes
      return outcome
    }
  }

  private static func copyEvents(
    of reader: TraceReader, to writer: TraceWriter, _ removes: (UInt32) -> Bool,
    _ progress: RewriteProgress
  ) throws(TraceFileError) -> RewriteOutcome {
    var outcome = RewriteOutcome()
    outcome.damage = reader.damage
    let composer = RecordComposer()
    var columns = EventColumns()
    for (index, block) in reader.blocks.enumerated() {
      progress(UInt64(index), UInt64(reader.blocks.count))
      do throws(TraceFileError) {
        try reader.decode(index, into: &columns, columns: .all)
      } catch {
        outcome.damage.append(try TraceDamage(of: block, error))
        continue
      }
      outcome.withheld += withhold(in: &columns, removes)
      try writer.append(
        records: composer.records(of: columns), ring: block.ring,
        firstSequence: block.firstSequence)
      outcome.events += UInt64(block.count)
      if block.offset == nil { outcome.folded += UInt64(block.count) }
    }
    return outcome
  }

  /// Takes the values out of columns; returns how many there were.
  private static func withhold(
    in columns: inout EventColumns, _ removes: (UInt32) -> Bool
  ) -> UInt64 {
    var count: UInt64 = 0
    for index in 0..<columns.count where tellsValue(columns.payloadKinds[index]) {
      // How many values sampling left out is no value.
      let isCount = columns.payloadKinds[index] == PayloadKind.unsigned.rawValue
      if isCount, columns.kinds[index] == RecordKind.skipped.rawValue { continue }
      let isHop = RecordKind.isHop(columns.kinds[index])
      guard removes(isHop ? 0 : columns.streams[index]) else { continue }
      columns.payloadKinds[index] = PayloadKind.withheld.rawValue
      columns.words[index] = 0
      count += 1
    }
    return count
  }

  /// Whether a payload of this kind tells anything of a value. What is not known here may.
  private static func tellsValue(_ payload: UInt8) -> Bool {
    switch PayloadKind(rawValue: payload) {
    case .absent, .unit, .typeOnly, .withheld, .stream, .reason, .cause: false
    case .null, .integer, .unsigned, .real, .boolean, .string, .bytes, .description, nil: true
    }
  }
}

extension TraceDefinitions {
  /// All definitions, each kind by its ids. They are put together as they are asked for: a second
  /// copy of them all would be as large as everything else.
  var all: some Sequence<TraceDefinition> {
    [
      inOrder(streams) { .stream($0) }, inOrder(schedulers) { .scheduler($0) },
      inOrder(threads) { .thread($0) }, inOrder(stacks) { .stack($0) },
      inOrder(modules) { .module($0) }, inOrder(symbols) { .symbol($0) },
    ].joined()
  }

  private func inOrder<Key: Comparable, Value>(
    _ definitions: [Key: Value], _ wrap: @escaping (Value) -> TraceDefinition
  ) -> AnySequence<TraceDefinition> {
    AnySequence(definitions.keys.sorted().lazy.compactMap { definitions[$0].map(wrap) })
  }
}

extension TraceDamage {
  /// The damage of a block that cannot be decoded.
  ///
  /// - Throws: the error itself when it is no damage.
  init(of block: BlockSummary, _ error: TraceFileError) throws(TraceFileError) {
    guard error.code == .damaged || error.code == .newerVersion else { throw error }
    self.init(offset: block.offset ?? 0, bytes: block.storedBytes, reason: error.message)
  }
}
