internal import VarveProbe

/// A rewriter that removes the values from a trace. The structure stays, with every time, stream,
/// cause, and type, but every value is marked as withheld.
///
/// The program's arguments and the host's name are removed, too. The names of streams and types
/// stay.
public enum TraceScrub {
  /// Writes the scrubbed trace.
  ///
  /// - Parameters:
  ///   - reader: The trace.
  ///   - path: The path at which to write the scrubbed trace.
  ///   - replacing: Whether an existing trace at `path` may be replaced.
  ///   - progress: Receives the progress from time to time.
  ///   - removes: Decides whether to remove the values of the stream with an ID; the ID is 0 for
  ///     records that belong to no stream.
  /// - Throws: A `TraceFileError`, as `TraceRepair.write` does.
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
    // Different contents make a different trace: files recorded beside the old one must not be
    // taken for parts of this one.
    header.id = .random()
    header.process.arguments = []
    header.process.host = ""
    var definitions = reader.definitions
    for number in definitions.processes.keys { definitions.processes[number]?.process.host = "" }
    let file = try RewrittenFile(path, replacing: replacing)
    return try file.write(header: header) { writer throws(TraceFileError) in
      try writer.append(definitions: definitions.all)
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
        try writer.append(losses: [TraceLoss(of: block)])
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

  /// Removes the values from columns; returns their number.
  private static func withhold(
    in columns: inout EventColumns, _ removes: (UInt32) -> Bool
  ) -> UInt64 {
    var count: UInt64 = 0
    for index in 0..<columns.count where tellsValue(columns.payloadKinds[index]) {
      // The number of values left out by sampling is not a value.
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

  /// Returns whether a payload of this kind reveals anything of a value. Unknown kinds may.
  private static func tellsValue(_ payload: UInt8) -> Bool {
    switch PayloadKind(rawValue: payload) {
    case .absent, .unit, .typeOnly, .withheld, .stream, .reason, .cause, .task, .awaited, .made:
      false
    case .null, .integer, .unsigned, .real, .boolean, .string, .bytes, .description, nil: true
    }
  }
}

extension TraceDefinitions {
  /// All definitions, each kind ordered by ID. They are generated lazily, because a second copy of
  /// them would be as large as everything else.
  var all: some Sequence<TraceDefinition> {
    [
      inOrder(streams) { .stream($0) }, inOrder(schedulers) { .scheduler($0) },
      inOrder(threads) { .thread($0) }, inOrder(stacks) { .stack($0) },
      inOrder(modules) { .module($0) }, inOrder(symbols) { .symbol($0) },
      inOrder(taskTemplates) { .taskTemplate($0) }, inOrder(processes) { .process($0) },
    ].joined()
  }

  private func inOrder<Key: Comparable, Value>(
    _ definitions: [Key: Value], _ wrap: @escaping (Value) -> TraceDefinition
  ) -> AnySequence<TraceDefinition> {
    AnySequence(definitions.keys.sorted().lazy.compactMap { definitions[$0].map(wrap) })
  }
}

extension TraceDamage {
  /// Creates the damage of a block that cannot be decoded.
  ///
  /// - Throws: The error itself if it is not due to damage.
  init(of block: BlockSummary, _ error: TraceFileError) throws(TraceFileError) {
    guard error.code == .damaged || error.code == .newerVersion else { throw error }
    self.init(offset: block.offset ?? 0, bytes: block.storedBytes, reason: error.message)
  }
}
