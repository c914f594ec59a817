internal import CVarveSystem

/// Converts columns back into records in a ring's format, so that a writer can write them again.
final class RecordComposer {
  private let out = BlockBuffer(capacity: 64 << 10)

  /// Returns the records of all events, valid until the next call.
  func records(of columns: borrowing EventColumns) -> UnsafeRawBufferPointer {
    out.removeAll()
    var far = 0
    for index in 0..<columns.count {
      let first = far
      while far < columns.farCauses.count, columns.farCauses[far].index == index { far += 1 }
      append(index, of: columns, farCauses: first..<far)
    }
    return out.bytes
  }

  private func append(_ index: Int, of columns: borrowing EventColumns, farCauses: Range<Int>) {
    let causes = farCauses.prefix(Int(VV_FAR_LARGEST))
    let layout = PayloadLayout(columns.payloadKinds[index])
    let head = Int(VV_RECORD_HEAD_BYTES)
    var text = 0..<0
    if layout == .text {
      text = Int(columns.textStarts[index])..<Int(columns.textStarts[index + 1])
      // A record has a size limit. The text's length shows how much was cut.
      let room = Int(VV_RECORD_LARGEST) - head - 8 - 8 * causes.count
      text = text.prefix(room)
    }
    let padded = (text.count + 7) & ~7
    let payload = layout == .none ? 0 : 8 + padded
    let size = head + payload + 8 * causes.count
    let start = out.room(for: size)
    let record = UnsafeMutableRawBufferPointer(start: start, count: size)
    record.put(UInt64(0), at: size - 8)
    record.put(UInt8(size / 8), at: 0)
    record.put(columns.kinds[index], at: 1)
    record.put(columns.payloadKinds[index], at: 2)
    record.put(UInt8(causes.count), at: 3)
    record.put(columns.streams[index], at: 4)
    record.put(columns.ticks[index], at: 8)
    record.put(UInt32(truncatingIfNeeded: columns.firstSequence &+ UInt64(index)), at: 16)
    record.put(columns.backs[index], at: 20)
    record.put(columns.subscriptions[index], at: 24)
    switch layout {
    case .none: break
    case .word: record.put(columns.words[index], at: 32)
    case .text:
      record.put(UInt32(truncatingIfNeeded: columns.words[index]), at: 32)
      record.put(UInt32(text.count), at: 36)
      for (place, byte) in zip(40..., text) { record[place] = columns.heap[byte] }
      for place in 40 + text.count..<40 + padded { record[place] = 0 }
    }
    for (place, cause) in causes.enumerated() {
      record.put(columns.farCauses[cause].cause.word, at: size - 8 * (causes.count - place))
    }
    out.advance(by: size)
  }
}
