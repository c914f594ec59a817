/// A check that causes in other rings, or far back, precede their effects.
///
/// The causes of many events are looked up together, block by block, so that a block is decoded
/// once for all of them, however they are mixed.
struct CauseCheck {
  /// A pending check: whether a record is later than an event that names it as a cause.
  private struct Question {
    /// The position of the cause.
    var block: Int32
    var index: UInt32
    /// The event that names it.
    var effectBlock: Int32
    var effectIndex: UInt32
    var tick: UInt64
  }

  /// The number of questions answered together, which take six megabytes.
  private static let mostQuestions = 1 << 18

  private let reader: TraceReader
  private var questions: [Question] = []
  private var columns = EventColumns()
  /// The first event of each block that is earlier than one of its causes.
  private var early: [Int32: UInt32] = [:]

  init(_ reader: TraceReader) { self.reader = reader }

  /// Checks a block's events, whose ticks and causes must have been decoded.
  mutating func look(at columns: borrowing EventColumns, in block: Int) throws(TraceFileError) {
    for place in columns.farCauses.indices {
      let (index, reference) = columns.farCauses[place]
      guard let cause = reader.map.block(of: reference, in: reader.blocks) else { continue }
      let tick = columns.ticks[index]
      // The blocks' headers decide nearly all cases; another check verifies the headers.
      let span = reader.blocks[cause].ticks
      if span.upperBound <= tick { continue }
      if span.lowerBound > tick {
        note(Int32(block), UInt32(index))
        continue
      }
      questions.append(
        Question(
          block: Int32(cause),
          index: UInt32(reference.sequence - reader.blocks[cause].firstSequence),
          effectBlock: Int32(block), effectIndex: UInt32(index), tick: tick))
      if questions.count == Self.mostQuestions { try answer() }
    }
  }

  /// Returns the blocks in which an event is earlier than its cause, naming the event.
  mutating func finish() throws(TraceFileError) -> [(block: Int, reason: String)] {
    try answer()
    return early.map { block, index in
      let event = reader.blocks[Int(block)].name(Int(index))
      return (Int(block), "event #\(event) is earlier than its cause")
    }
  }

  private mutating func answer() throws(TraceFileError) {
    questions.sort { $0.block < $1.block }
    var open: Int32?
    var isReadable = false
    for question in questions {
      if question.block != open {
        open = question.block
        isReadable = try readTicks(of: Int(question.block))
      }
      if isReadable, columns.ticks[Int(question.index)] > question.tick {
        note(question.effectBlock, question.effectIndex)
      }
    }
    questions.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ block: Int32, _ index: UInt32) {
    early[block] = min(early[block] ?? .max, index)
  }

  /// Reads the ticks of a block; returns false if the block is damaged.
  private mutating func readTicks(of block: Int) throws(TraceFileError) -> Bool {
    do throws(TraceFileError) {
      try reader.decode(block, into: &columns, columns: .ticks)
      return true
    } catch {
      _ = try TraceDamage(of: reader.blocks[block], error)
      return false
    }
  }
}
