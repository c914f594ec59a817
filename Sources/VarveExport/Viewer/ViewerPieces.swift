internal import VarveAnalysis
internal import VarveFormat

/// What is drawn of one stretch of work in one lane, or of several that cannot be told apart.
struct ViewerPiece {
  enum State: Int { case queued, runs, waits }

  var lane: Int
  var state: State
  var from: UInt64
  var to: UInt64?
  var label: String
  var event: EventName
  var ending: String?
  /// The lane of the task that gave the work.
  var by: Int?
  /// The ID of the work, by which its samples are known.
  var hop: UInt64
  /// How many it stands for.
  var number = 1

  /// How long it lasts until a moment.
  func length(until last: UInt64) -> UInt64 { max(min(to ?? last, last), from) - from }
}

/// Pieces of work in the order in which they ended.
///
/// Far away there are many more than pixels. Those that together are narrower than one become one piece,
/// before any text is made of them: so an answer is short, and soon there.
struct ViewerPieces {
  /// The number of ticks of a pixel; 0 if no pieces become one.
  private let pixel: UInt64
  private var pieces: [ViewerPiece] = []
  /// The last piece of each lane and state that is narrower than a pixel.
  private var narrow: [Int: Int] = [:]
  /// Whether some stand for several.
  private(set) var areMerged = false

  init(pixel: UInt64) { self.pixel = pixel }

  var count: Int { pieces.count }

  /// - Parameter isAlone: whether it must not become one with others.
  mutating func add(_ piece: ViewerPiece, isAlone: Bool) {
    guard let to = piece.to, !isAlone, to - min(piece.from, to) < pixel else {
      return pieces.append(piece)
    }
    let place = piece.lane * 3 + piece.state.rawValue
    if let index = narrow[place], let merged = merged(pieces[index], piece) {
      pieces[index] = merged
      areMerged = true
    } else {
      narrow[place] = pieces.count
      pieces.append(piece)
    }
  }

  private func merged(_ one: ViewerPiece, _ other: ViewerPiece) -> ViewerPiece? {
    guard let to = one.to, let end = other.to, one.by == other.by, one.ending == other.ending
    else { return nil }
    var all = one
    all.from = min(one.from, other.from)
    all.to = max(to, end)
    guard max(to, end) - all.from < pixel else { return nil }
    if one.label != other.label { all.label = "" }
    all.number += other.number
    return all
  }

  /// Leaves only pieces of some lanes, at most so many: the longest until a moment, in their order.
  /// Returns whether that are all.
  mutating func keep(_ lanes: Set<Int>?, most: Int, until last: UInt64) -> Bool {
    narrow = [:]
    if let lanes { pieces.removeAll { !lanes.contains($0.lane) } }
    guard pieces.count > most else { return true }
    let lengths = pieces.map { $0.length(until: last) }
    let longest = pieces.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    pieces = longest.prefix(most).sorted().map { pieces[$0] }
    return false
  }

  /// Returns a JSON object of each piece.
  ///
  /// - Parameters:
  ///   - numbers: the numbers that lanes have got; nil if they have theirs.
  ///   - samples: those of work, by its ID.
  func objects(
    _ numbers: [Int]? = nil, _ samples: [UInt64: [ViewerSample]]
  ) -> [String] {
    let output = ByteOutput(keeping: 1 << 10)
    return pieces.map { piece in
      output.clear()
      var pen = output.pen()
      piece.write(to: &pen, numbers, samples)
      output.finish(&pen)
      return String(decoding: output.kept, as: UTF8.self)
    }
  }

  /// Returns these objects with commas between them.
  func list(_ samples: [UInt64: [ViewerSample]]) -> String {
    let output = ByteOutput(keeping: 1 << 16)
    var pen = output.pen()
    for (index, piece) in pieces.enumerated() {
      if index > 0 { pen.write(",\n") }
      piece.write(to: &pen, nil, samples)
    }
    output.finish(&pen)
    return String(decoding: output.kept, as: UTF8.self)
  }
}

extension ViewerPiece {
  /// The most bytes that all but texts and samples take.
  private static let mostBytes = 320

  fileprivate func write(
    to pen: inout Pen, _ numbers: [Int]?, _ samples: [UInt64: [ViewerSample]]
  ) {
    func shown(_ lane: Int) -> UInt64 { UInt64(numbers?[lane] ?? lane) }
    pen.reserve(Self.mostBytes)
    pen.put("{\"lane\":")
    pen.put(decimal: shown(lane))
    pen.put(",\"from\":")
    pen.put(decimal: from)
    pen.put(",\"to\":")
    if let to { pen.put(decimal: to) } else { pen.put("null") }
    pen.put(",\"label\":")
    JSONText.write(label, to: &pen)
    pen.put(",\"event\":\"")
    pen.put(text: EventName.thread(event.ring))
    pen.put(UInt8(ascii: "."))
    pen.put(decimal: event.sequence)
    pen.put("\",\"state\":\"")
    switch state {
    case .queued: pen.put("queued")
    case .runs: pen.put("runs")
    case .waits: pen.put("waits")
    }
    pen.put("\",\"end\":")
    if let ending { JSONText.write(ending, to: &pen) } else { pen.put("null") }
    if number > 1 {
      pen.put(",\"number\":")
      pen.put(decimal: UInt64(number))
    }
    if let by {
      pen.put(",\"by\":")
      pen.put(decimal: shown(by))
    }
    if state == .runs, let own = samples[hop] {
      pen.write(",\"samples\":[\(own.lazy.map(\.json).joined(separator: ","))]")
    }
    pen.put(UInt8(ascii: "}"))
  }
}
