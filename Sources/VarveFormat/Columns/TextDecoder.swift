/// Puts the texts of a block's events together from the texts that are new in the block.
final class TextDecoder {
  private let numbers = Scratch<UInt32>()
  private let cuts = Scratch<UInt32>()
  private let lengths = Scratch<UInt32>()
  private let starts = Scratch<UInt32>()
  private let heap = Scratch<UInt8>()
  private var events = 0
  private var texts = 0
  private var heapBytes = 0

  /// Unpacks the columns of text: `events` events have some, of which `texts` are new.
  func read(_ planes: PlaneDecoder, events: Int, texts: Int, heapBytes: Int)
    throws(MalformedBytes)
  {
    self.events = events
    self.texts = texts
    self.heapBytes = heapBytes
    try planes.column(Column.texts, count: events, into: numbers.reserve(events))
    try planes.column(Column.cuts, count: events, into: cuts.reserve(events))
    try planes.column(Column.textLengths, count: texts, into: lengths.reserve(texts))
    try planes.column(Column.heap, count: heapBytes, into: heap.reserve(heapBytes))
    let starts = starts.reserve(texts + 1)
    var position = 0
    for text in 0..<texts {
      starts[text] = UInt32(position)
      position += Int(lengths.base[text])
      guard position <= heapBytes else { throw MalformedBytes(offset: 0) }
    }
    starts[texts] = UInt32(position)
    guard position == heapBytes else { throw MalformedBytes(offset: 0) }
  }

  /// Writes `textStarts`, `heap` and, for events with text, `words`. `hasText` tells of each event
  /// whether it has some; it says so of as many as `read` was told of. The texts of all events
  /// together have at most `most` bytes.
  func write(into columns: inout EventColumns, most: Int, _ hasText: (Int) -> Bool)
    throws(MalformedBytes)
  {
    let count = columns.count
    let total = try totalBytes(most: most)
    let source = heap.base
    columns.heap.resize(to: total)
    try columns.heap.withUnsafeMutableBufferPointer { target throws(MalformedBytes) in
      try columns.textStarts.refill(count: count + 1) { out throws(MalformedBytes) in
        columns.words.withUnsafeMutableBufferPointer { words in
          var position = 0
          var next = 0
          var fresh = 0
          for index in 0..<count {
            out[index] = UInt32(position)
            guard hasText(index) else { continue }
            let number = Int(numbers.base[next])
            let text = number == 0 ? fresh : number - 1
            fresh += number == 0 ? 1 : 0
            let start = Int(starts.base[text])
            let length = Int(lengths.base[text])
            if length > 0, let target = target.baseAddress {
              (target + position).update(from: source + start, count: length)
            }
            words[index] = UInt64(UInt32(length) &+ cuts.base[next])
            position += length
            next += 1
          }
          out[count] = UInt32(position)
        }
      }
    }
  }

  /// How many bytes the texts of all events have together. Checks each number on the way.
  private func totalBytes(most: Int) throws(MalformedBytes) -> Int {
    var total = 0
    var fresh = 0
    for event in 0..<events {
      let number = Int(numbers.base[event])
      guard number <= fresh, number > 0 || fresh < texts else { throw MalformedBytes(offset: 0) }
      total += Int(lengths.base[number == 0 ? fresh : number - 1])
      fresh += number == 0 ? 1 : 0
      guard total <= most else { throw MalformedBytes(offset: 0) }
    }
    guard fresh == texts else { throw MalformedBytes(offset: 0) }
    return total
  }
}
