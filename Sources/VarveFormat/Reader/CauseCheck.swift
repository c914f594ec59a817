/// Checks that causes in other rings, or far back, precede their effects.
///
/// The causes that many events name are looked up together, block by block: whichever way they are
/// mixed, a block is decoded once for all of them.
struct CauseCheck {
  /// Whether a record is later than an event that names it as a cause.
  private struct Question {
    /// Where the cause lies.
    var block: Int32
    var index: UInt32
    /// The event that names it.
    var effectBlock: Int32
    var effectIndex: UInt32
    var tick: UInt64
  }

  /// So many questions are asked together: six megabytes of them.
  private static let mostQuestions = 1 << 18

  private let reader: TraceReader
  private var questions: [Question] = []
  private var columns = EventColumns()
  /// By block, the first event that is earlier than a cause of it.
  private var early: [Int32: UInt32] = [:]

  init(_ reader: TraceReader) { self.reader = reader }

  /// Looks at a block's events, of which ticks and causes have been decoded.
  mutating func look(at columns: borrowing EventColumns, in block: Int) throws(TraceFileError) {
    for place in columns.farCauses.indices {
      let (index, reference) = columns.farCauses[place]
      guard let cause = reader.map.block(of: reference, in: reader.blocks) else { continue }
      let tick = columns.ticks[index]
      // The headers know it of nearly all; whether they lie is looked at elsewhere.
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

  /// The blocks in which an event is earlier than its cause, and which event that is.
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

  /// False when the block is damaged: when its events happened is not known then.
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
