internal import VarveProbe

/// A check of everything about a trace that can be checked without knowing the program: checksums,
/// structure, order.
///
/// *Damage* is a violation of the format's rules; readers skip it. *Disorder* is readable but
/// impossible: time that runs backwards on a thread, or an effect before its cause.
public struct TraceVerification: Sendable {
  /// The number of events that could be read.
  public private(set) var events: UInt64 = 0
  /// The number of event blocks that could be read.
  public private(set) var blocks = 0
  /// The parts that could not be read, in the order of the file.
  public private(set) var damage: [TraceDamage] = []
  /// The contradictions in what could be read, in the order of the file.
  public private(set) var disorder: [TraceDamage] = []

  /// Reads the whole file and checks it.
  ///
  /// - Throws: A `TraceFileError` of code `unreadable` if the system refuses.
  public init(_ reader: TraceReader, progress: RewriteProgress = { _, _ in })
    throws(TraceFileError)
  {
    let scan = FileScan(reader.file, seed: reader.header.id.seed)
    var all = Set(reader.damage)
    let contents = try scan.checkedContents(from: reader.contents.start)
    all.formUnion(contents.damage)
    if reader.ending != .running, let tail = contents.tail { all.insert(tail) }
    // The blocks' own headers, which the index may contradict.
    var own: [UInt64: BlockSummary] = [:]
    for block in contents.blocks { own[block.offset ?? 0] = block }
    var order = OrderCheck()
    var causes = CauseCheck(reader)
    var passedOver = Set(all.map(\.offset))
    var found: [(block: Int, disorder: TraceDamage)] = []
    var columns = EventColumns()
    for (index, block) in reader.blocks.enumerated() {
      progress(block.offset ?? reader.bytes, reader.bytes)
      do throws(TraceFileError) {
        try reader.decode(index, into: &columns, columns: .all)
      } catch {
        let damage = try TraceDamage(of: block, error)
        // A block with an unreadable header was already skipped.
        if passedOver.insert(damage.offset).inserted { all.insert(damage) }
        continue
      }
      blocks += 1
      events += UInt64(block.count)
      let told = block.offset.flatMap { own[$0] } ?? block
      if !told.tellsSame(as: block) {
        all.insert(block.damage("the index tells something else of the block than its header"))
      }
      if let lie = told.lie(about: columns) { all.insert(block.damage(lie)) }
      if let flaw = order.flaw(columns) { found.append((index, block.damage(flaw))) }
      try causes.look(at: columns, in: index)
    }
    found += try causes.finish().map { ($0.block, reader.blocks[$0.block].damage($0.reason)) }
    // A block's own disorder precedes that of its causes, because the sort is stable.
    disorder = found.sorted { $0.block < $1.block }.map(\.disorder)
    // Before 1.2, the trailer also counted events that were lost before a repair.
    if let trailer = contents.trailer, contents.damage.isEmpty,
      trailer.events < contents.events
        || reader.header.version >= .namesEvents && trailer.events > contents.events
    {
      all.insert(
        TraceDamage(
          offset: contents.end, bytes: 0,
          reason: "the trailer tells of \(trailer.events) events, the blocks of "
            + "\(contents.events)"))
    }
    damage = all.sorted { ($0.offset, $0.bytes, $0.reason) < ($1.offset, $1.bytes, $1.reason) }
  }
}

extension BlockSummary {
  /// Returns how the block's header misstates its events, if it does: queries would skip events, or
  /// times would be wrong.
  func lie(about columns: borrowing EventColumns) -> String? {
    var kinds = KindSet()
    var streams = StreamSet()
    var first = UInt64.max
    var last: UInt64 = 0
    for index in 0..<columns.count {
      kinds.insert(columns.kinds[index])
      if !RecordKind.isHop(columns.kinds[index]) { streams.insert(columns.streams[index]) }
      first = min(first, columns.ticks[index])
      last = max(last, columns.ticks[index])
    }
    if first != ticks.lowerBound || last != ticks.upperBound {
      return "the block's header tells another time than its events"
    }
    if kinds.bits & ~self.kinds.bits != 0 {
      return "the block's header leaves out kinds of its events"
    }
    let isLeftOut = zip(streams.words, self.streams.words).contains { $0 & ~$1 != 0 }
    return isLeftOut ? "the block's header leaves out streams of its events" : nil
  }

  fileprivate func tellsSame(as other: BlockSummary) -> Bool {
    ring == other.ring && count == other.count && firstSequence == other.firstSequence
      && ticks == other.ticks && streams == other.streams && kinds == other.kinds
  }

  fileprivate func damage(_ reason: String) -> TraceDamage {
    TraceDamage(offset: offset ?? 0, bytes: storedBytes, reason: reason)
  }
}

/// A check that time does not go backwards along a ring.
private struct OrderCheck {
  /// The tick of each ring's last record so far.
  private var last: [UInt32: UInt64] = [:]

  /// Returns a description of what is wrong with the order of a block's events; nil if nothing is.
  mutating func flaw(_ columns: borrowing EventColumns) -> String? {
    var previous = last[columns.ring] ?? 0
    last[columns.ring] = columns.ticks[columns.count - 1]
    for index in 0..<columns.count {
      guard columns.ticks[index] >= previous else {
        return "event #\(columns.name(index)) is earlier than the one before it on its thread"
      }
      previous = columns.ticks[index]
    }
    return nil
  }
}
