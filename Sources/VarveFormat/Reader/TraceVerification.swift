internal import VarveProbe

/// Everything that can be checked about a trace without knowing the program: checksums, structure,
/// order.
///
/// *Damage* is what contradicts the format's rules; a reader passes over it. *Disorder* is what can
/// be read and yet cannot have happened: time that runs backwards on a thread, an effect before its
/// cause, a record that is there twice.
public struct TraceVerification: Sendable {
  /// Events that could be read.
  public private(set) var events: UInt64 = 0
  /// Blocks of events that could be read.
  public private(set) var blocks = 0
  /// What could not be read, by its place in the file.
  public private(set) var damage: [TraceDamage] = []
  /// What could be read and cannot have happened, by its place in the file.
  public private(set) var disorder: [TraceDamage] = []

  /// Reads the whole file and checks it.
  ///
  /// - Throws: a `TraceFileError` of code `unreadable` when the system refuses.
  public init(_ reader: TraceReader, progress: RewriteProgress = { _, _ in })
    throws(TraceFileError)
  {
    let scan = FileScan(reader.file, seed: reader.header.id.seed)
    var all = Set(reader.damage)
    let contents = try scan.checkedContents(from: reader.contents.start)
    all.formUnion(contents.damage)
    if reader.ending != .running, let tail = contents.tail { all.insert(tail) }
    // What the blocks say of themselves: the index may say something else.
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
        // A header that cannot be read was passed over before.
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
      found += order.flaws(columns).map { (index, block.damage($0)) }
      try causes.look(at: columns, in: index)
    }
    found += try causes.finish().map { ($0.block, reader.blocks[$0.block].damage($0.reason)) }
    // A block's own disorder stands before that of its causes: the sort keeps their order.
    disorder = found.sorted { $0.block < $1.block }.map(\.disorder)
    // Before 1.2 the trailer counted events that had been lost before a repair, too.
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
  /// What the block's header tells that is not so: queries would pass over events, or times be
  /// wrong.
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

/// Checks that time goes on along each ring, and that no record is there twice.
private struct OrderCheck {
  /// By ring, the number and the tick of its last record so far.
  private var last: [UInt32: (sequence: UInt64, tick: UInt64)] = [:]

  /// What is wrong with the order of a block's events; each kind of thing once.
  mutating func flaws(_ columns: borrowing EventColumns) -> [String] {
    var flaws: [String] = []
    let end = columns.firstSequence + UInt64(columns.count)
    var previous = columns.ticks[0]
    if let before = last[columns.ring] {
      if before.sequence >= columns.firstSequence {
        flaws.append("record \(columns.firstSequence) of ring \(columns.ring) is there twice")
      } else {
        previous = before.tick
      }
    }
    for index in 0..<columns.count {
      guard columns.ticks[index] >= previous else {
        flaws.append("event #\(columns.name(index)) is earlier than the one before it on its thread")
        break
      }
      previous = columns.ticks[index]
    }
    last[columns.ring] = (end - 1, columns.ticks[columns.count - 1])
    return flaws
  }
}
