internal import VarveProbe

/// Decodes an event block's payload into columns.
///
/// A decoder takes one payload and can then be asked for columns several times: a filter reads the
/// streams first, and the rest only if something matches.
final class EventDecoder {
  /// The properties that depend on an event's shape alone.
  private struct Shape: BitwiseCopyable {
    var stream: UInt32
    var kind: UInt8
    var payload: UInt8
    var farCauses: UInt8
    var wordForm: UInt8
    var layout: UInt8
  }

  private enum Layout {
    static let none: UInt8 = 0
    static let word: UInt8 = 1
    static let text: UInt8 = 2
  }

  private let planes = PlaneDecoder()
  private let shapeOf = Scratch<UInt32>()
  private let shapes = Scratch<Shape>()
  private let lastWords = Scratch<UInt64>()
  private let lastBacks = Scratch<UInt64>()
  private let lastFarCauses = Scratch<UInt64>()
  private let entries = Scratch<UInt64>()
  private let bytes = Scratch<UInt8>()
  private let texts = BlockTextDecoder()

  private var count = 0
  private var ring: UInt32 = 0
  private var rawBytes = 0
  private var shapeCount = 0
  private var textCount = 0
  private var suffixBytes = 0
  private var startTick: UInt64 = 0
  private var shapesAreRead = false

  /// Takes a payload, which must stay in place while columns are decoded.
  func begin(_ payload: UnsafeRawBufferPointer, summary: BlockSummary, rawBytes: Int)
    throws(MalformedBytes)
  {
    count = summary.count
    ring = summary.ring
    self.rawBytes = rawBytes
    shapesAreRead = false
    var cursor = ByteCursor(payload)
    shapeCount = try cursor.takeCount(most: count)
    textCount = try cursor.takeCount(most: count)
    suffixBytes = try cursor.takeCount(most: rawBytes)
    startTick = summary.ticks.lowerBound &+ (try cursor.takeVarint())
    guard shapeCount >= 1 else { throw MalformedBytes(offset: 0) }
    try planes.begin(payload, at: cursor.offset)
  }

  /// Decodes the wanted columns.
  func decode(_ wanted: ColumnSet, into columns: inout EventColumns) throws(MalformedBytes) {
    columns.count = count
    if wanted.contains(.ticks) { try readTicks(into: &columns.ticks) }
    guard !wanted.subtracting(.ticks).isEmpty else { return }
    if !shapesAreRead { try readShapes() }
    if wanted.contains(.streams) { spread(into: &columns.streams) { $0.stream } }
    if wanted.contains(.kinds) { spread(into: &columns.kinds) { $0.kind } }
    if wanted.contains(.subscriptions) { try readSubscriptions(into: &columns.subscriptions) }
    if wanted.contains(.causes) {
      try readBacks(into: &columns.backs)
      try readFarCauses(into: &columns.farCauses)
    }
    if wanted.contains(.payloads) {
      spread(into: &columns.payloadKinds) { $0.payload }
      try readWords(into: &columns.words)
      try readTexts(into: &columns)
    } else if wanted.contains(.words) {
      spread(into: &columns.payloadKinds) { $0.payload }
      try readWords(into: &columns.words)
    }
  }

  // MARK: - Shapes

  private func readShapes() throws(MalformedBytes) {
    let table = shapes.reserve(shapeCount)
    let streams = try readStarts(Column.shapeStreams, into: lastWords)
    for index in 0..<shapeCount {
      table[index] = Shape(
        stream: UInt32(truncatingIfNeeded: streams[index]), kind: 0, payload: 0, farCauses: 0,
        wordForm: 0, layout: 0)
    }
    try readShapeBytes(Column.shapeKinds, most: 255) { table[$0].kind = $1 }
    try readShapeBytes(Column.shapePayloads, most: 255) { table[$0].payload = $1 }
    try readShapeBytes(Column.shapeFarCauses, most: 8) { table[$0].farCauses = $1 }
    try readShapeBytes(Column.shapeWordForms, most: WordForm.difference) {
      table[$0].wordForm = $1
    }
    for index in 0..<shapeCount { table[index].layout = Self.layout(table[index].payload) }
    let shapeOf = shapeOf.reserve(count)
    try planes.column(Column.shapes, count: count, into: shapeOf)
    var largest: UInt32 = 0
    for index in 0..<count { largest = max(largest, shapeOf[index]) }
    guard largest < UInt32(shapeCount) else { throw MalformedBytes(offset: 0) }
    shapesAreRead = true
  }

  /// Reads a column that stores each shape's number less that of the shape before it.
  private func readStarts(_ column: UInt8, into scratch: Scratch<UInt64>) throws(MalformedBytes)
    -> UnsafeMutablePointer<UInt64>
  {
    let numbers = scratch.reserve(shapeCount)
    try planes.column(column, count: shapeCount, into: numbers)
    var number: UInt64 = 0
    for index in 0..<shapeCount {
      number &+= unzigzag(numbers[index])
      numbers[index] = number
    }
    return numbers
  }

  private func readShapeBytes(_ column: UInt8, most: UInt8, _ set: (Int, UInt8) -> Void)
    throws(MalformedBytes)
  {
    let bytes = self.bytes.reserve(shapeCount)
    try planes.column(column, count: shapeCount, into: bytes)
    for index in 0..<shapeCount {
      guard bytes[index] <= most else { throw MalformedBytes(offset: 0) }
      set(index, bytes[index])
    }
  }

  private static func layout(_ payload: UInt8) -> UInt8 {
    switch PayloadLayout(payload) {
    case .none: Layout.none
    case .word: Layout.word
    case .text: Layout.text
    }
  }

  @inline(__always)
  private func spread<Value: FixedWidthInteger & BitwiseCopyable>(
    into column: inout [Value], _ value: (Shape) -> Value
  ) {
    let table = shapes.base
    let shapeOf = shapeOf.base
    column.refill(count: count) { target in
      for index in 0..<count { target[index] = value(table[Int(shapeOf[index])]) }
    }
  }

  /// Returns the sum of `number` over the shapes of all events.
  private func sum(_ number: (Shape) -> Int) -> Int {
    let table = shapes.base
    let shapeOf = shapeOf.base
    if (0..<shapeCount).allSatisfy({ number(table[$0]) == 0 }) { return 0 }
    var sum = 0
    for index in 0..<count { sum += number(table[Int(shapeOf[index])]) }
    return sum
  }

  // MARK: - Numbers

  private func readTicks(into column: inout [UInt64]) throws(MalformedBytes) {
    try column.refill(count: count) { target throws(MalformedBytes) in
      target[0] = startTick
      try planes.column(Column.ticks, count: count - 1, into: target + 1)
      for index in 1..<count { target[index] &+= target[index - 1] }
    }
  }

  private func readSubscriptions(into column: inout [UInt64]) throws(MalformedBytes) {
    let last = try readStarts(Column.shapeSubscriptions, into: lastWords)
    let shapeOf = shapeOf.base
    try column.refill(count: count) { target throws(MalformedBytes) in
      guard planes.has(Column.subscriptions) else {
        for index in 0..<count { target[index] = last[Int(shapeOf[index])] }
        return
      }
      try planes.column(Column.subscriptions, count: count, into: target)
      for index in 0..<count {
        let shape = Int(shapeOf[index])
        let value = last[shape] &+ unzigzag(target[index])
        last[shape] = value
        target[index] = value
      }
    }
  }

  private func readBacks(into column: inout [UInt32]) throws(MalformedBytes) {
    let last = lastBacks.reserve(shapeCount)
    try planes.column(Column.shapeBacks, count: shapeCount, into: last)
    let shapeOf = shapeOf.base
    try column.refill(count: count) { target throws(MalformedBytes) in
      guard planes.has(Column.backs) else {
        for index in 0..<count {
          target[index] = UInt32(truncatingIfNeeded: last[Int(shapeOf[index])])
        }
        return
      }
      try planes.column(Column.backs, count: count, into: target)
      for index in 0..<count {
        let shape = Int(shapeOf[index])
        last[shape] &+= unzigzag(UInt64(target[index]))
        target[index] = UInt32(truncatingIfNeeded: last[shape])
      }
    }
  }

  private func readWords(into column: inout [UInt64]) throws(MalformedBytes) {
    let wordCount = sum { $0.layout == Layout.word ? 1 : 0 }
    // One more, so that the loop below can read a next entry when none is left.
    let entries = entries.reserve(wordCount + 1)
    entries[wordCount] = 0
    try planes.column(Column.words, count: wordCount, into: entries)
    let last = try readStarts(Column.shapeWords, into: lastWords)
    let table = shapes.base
    let shapeOf = shapeOf.base
    column.refill(count: count) { target in
      var next = 0
      for index in 0..<count {
        let number = Int(shapeOf[index])
        let shape = table[number]
        let entry = entries[next]
        let word =
          shape.wordForm == WordForm.plain ? entry : last[number] &+ unzigzag(entry)
        let hasWord = shape.layout == Layout.word
        last[number] = word
        target[index] = hasWord ? word : 0
        next &+= hasWord ? 1 : 0
      }
    }
  }

  private func readFarCauses(into column: inout [(index: Int, cause: EventName)])
    throws(MalformedBytes)
  {
    column.removeAll(keepingCapacity: true)
    let total = sum { Int($0.farCauses) }
    guard total > 0 else { return }
    column.reserveCapacity(total)
    let entries = entries.reserve(total)
    try planes.column(Column.farCauses, count: total, into: entries)
    let last = lastFarCauses.reserve(shapeCount * 8)
    last.update(repeating: 0, count: shapeCount * 8)
    var next = 0
    for index in 0..<count {
      let number = Int(shapeOf.base[index])
      for place in 0..<Int(shapes.base[number].farCauses) {
        last[number * 8 + place] &+= unzigzag(entries[next])
        let cause = EventName(word: last[number * 8 + place], inRecordingOf: ring)
        column.append((index, cause))
        next += 1
      }
    }
  }

  // MARK: - Text

  private func readTexts(into columns: inout EventColumns) throws(MalformedBytes) {
    let total = sum { $0.layout == Layout.text ? 1 : 0 }
    guard total > 0 else {
      columns.heap.removeAll(keepingCapacity: true)
      columns.textStarts.refill(count: count + 1) { $0.update(repeating: 0, count: count + 1) }
      return
    }
    try texts.read(planes, events: total, texts: textCount, suffixBytes: suffixBytes)
    let table = shapes.base
    let shapeOf = shapeOf.base
    try texts.write(into: &columns, shapes: shapeCount, most: rawBytes) { index in
      let shape = Int(shapeOf[index])
      return table[shape].layout == Layout.text ? shape : nil
    }
  }
}
