/// Puts the texts of a block's events together from what is kept of the texts that are new in it.
final class BlockTextDecoder {
  private let numbers = Scratch<UInt32>()
  private let cuts = Scratch<UInt32>()
  private let lengths = Scratch<UInt32>()
  private let prefixes = Scratch<UInt32>()
  private let suffixes = Scratch<UInt8>()
  /// Where each new text lies in the columns' heap.
  private let starts = Scratch<UInt32>()
  /// By shape, the number of the last event's text.
  private let lastTexts = Scratch<UInt32>()
  private var events = 0
  private var texts = 0
  private var suffixBytes = 0

  /// Unpacks the columns of text: `events` events have some, of which `texts` are new.
  func read(_ planes: PlaneDecoder, events: Int, texts: Int, suffixBytes: Int)
    throws(MalformedBytes)
  {
    self.events = events
    self.texts = texts
    self.suffixBytes = suffixBytes
    try planes.column(Column.texts, count: events, into: numbers.reserve(events))
    try planes.column(Column.cuts, count: events, into: cuts.reserve(events))
    try planes.column(Column.textLengths, count: texts, into: lengths.reserve(texts))
    try planes.column(Column.textPrefixes, count: texts, into: prefixes.reserve(texts))
    try planes.column(Column.heap, count: suffixBytes, into: suffixes.reserve(suffixBytes))
  }

  /// Writes `textStarts`, `heap` and, for events with text, `words`. `shape` tells the shape of
  /// each event that has text, and of others nil; it says so of as many as `read` was told of. The
  /// texts of all events together have at most `most` bytes.
  func write(
    into columns: inout EventColumns, shapes: Int, most: Int, _ shape: (Int) -> Int?
  ) throws(MalformedBytes) {
    let count = columns.count
    let total = try totalBytes(most: most)
    starts.reserve(texts)
    lastTexts.reserve(shapes).update(repeating: 0, count: shapes)
    columns.words.resize(to: count)
    try columns.heap.refill(count: total) { heap throws(MalformedBytes) in
      try columns.textStarts.refill(count: count + 1) { out throws(MalformedBytes) in
        try columns.words.withUnsafeMutableBufferPointer { words throws(MalformedBytes) in
          var place = Place()
          for index in 0..<count {
            out[index] = UInt32(place.position)
            guard let shape = shape(index) else { continue }
            let cut = cuts.base[place.event]
            let length = try copy(shape, &place, to: heap)
            words[index] = UInt64(length &+ cut)
          }
          out[count] = UInt32(place.position)
          guard place.suffix == suffixBytes else { throw MalformedBytes(offset: 0) }
        }
      }
    }
  }

  /// How far the texts have been put together.
  private struct Place {
    var position = 0
    var event = 0
    var fresh = 0
    var suffix = 0
  }

  /// Puts the next event's text into the heap and returns its length.
  @inline(__always)
  private func copy(_ shape: Int, _ place: inout Place, to heap: UnsafeMutablePointer<UInt8>)
    throws(MalformedBytes) -> UInt32
  {
    let number = Int(numbers.base[place.event])
    let text = number == 0 ? place.fresh : number - 1
    let length = lengths.base[text]
    let target = heap + place.position
    if number == 0 {
      try putTogether(text, after: Int(lastTexts.base[shape]), &place, in: heap)
    } else {
      target.update(from: heap + Int(starts.base[text]), count: Int(length))
    }
    lastTexts.base[shape] = UInt32(text + 1)
    place.position += Int(length)
    place.event += 1
    return length
  }

  /// Makes a new text out of the beginning of another and what is kept of it.
  @inline(__always)
  private func putTogether(
    _ text: Int, after last: Int, _ place: inout Place, in heap: UnsafeMutablePointer<UInt8>
  ) throws(MalformedBytes) {
    let length = Int(lengths.base[text])
    let prefix = Int(prefixes.base[text])
    let kept = length - prefix
    guard kept >= 0, kept <= suffixBytes - place.suffix,
      prefix == 0 || last > 0 && prefix <= Int(lengths.base[last - 1])
    else { throw MalformedBytes(offset: 0) }
    let target = heap + place.position
    if prefix > 0 { target.update(from: heap + Int(starts.base[last - 1]), count: prefix) }
    (target + prefix).update(from: suffixes.base + place.suffix, count: kept)
    starts.base[text] = UInt32(place.position)
    place.suffix += kept
    place.fresh += 1
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
