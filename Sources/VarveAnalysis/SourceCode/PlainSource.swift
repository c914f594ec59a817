/// Lines of Swift source, without what stands in comments and texts.
struct PlainSource {
  private(set) var code: [UInt8] = []
  /// Where each line begins, from the first one on.
  private(set) var starts: [Int] = []
  let firstLine: Int
  /// Where the line begins that was asked for, and where it ends.
  let asked: Range<Int>

  /// A function is seldom longer.
  private static let reach = 300

  init(_ lines: [Substring], around line: Int) {
    firstLine = max(1, line - Self.reach)
    var isInText = false
    for index in firstLine...min(lines.count, line + Self.reach) {
      starts.append(code.count)
      Self.append(lines[index - 1], to: &code, &isInText)
    }
    let index = line - firstLine
    asked = starts[index]..<(index + 1 < starts.count ? starts[index + 1] : code.count)
  }

  /// Appends a line. `isInText` says whether a text of several lines goes on.
  private static func append(_ line: Substring, to code: inout [UInt8], _ isInText: inout Bool) {
    let bytes = Array(line.utf8)
    var (index, isString) = (0, false)
    while index < bytes.count {
      let isTriple = bytes[index...].starts(with: #"""""#.utf8)
      if isTriple {
        isInText.toggle()
        index += 3
        continue
      }
      if !isInText, bytes[index] == UInt8(ascii: "\"") { isString.toggle() }
      if (isInText || isString), bytes[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if !isInText, !isString, bytes[index...].starts(with: "//".utf8) { break }
      if !isInText, !isString { code.append(bytes[index]) }
      index += 1
    }
    code.append(UInt8(ascii: "\n"))
  }

  func line(at position: Int) -> Int {
    firstLine + (starts.lastIndex { $0 <= position } ?? 0)
  }

  /// Returns where a line stands; nil if it is too far away.
  func range(ofLine line: UInt32) -> Range<Int>? {
    let index = Int(line) - firstLine
    guard starts.indices.contains(index) else { return nil }
    return starts[index]..<(index + 1 < starts.count ? starts[index + 1] : code.count)
  }

  /// Returns whether a word stands between a line and that asked for.
  func contains(_ word: String, from line: Int) -> Bool {
    let start = line >= firstLine ? starts[line - firstLine] : 0
    return Self.words(code[start..<asked.upperBound]).contains(word)
  }

  /// What begins a block within a function.
  static let blocks: Set<String> = [
    "do", "if", "else", "guard", "for", "while", "switch", "repeat",
  ]

  static let loops: Set<String> = ["for", "while", "repeat"]

  /// Returns the line with the head of the loop whose body the line asked for stands in directly; nil if
  /// it does not, or if the head itself is that line.
  var headOfLoop: Int? {
    guard let opening = opening(before: asked.lowerBound),
      let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first,
      Self.loops.contains(first)
    else { return nil }
    return line(at: opening)
  }

  /// Returns the line with the head of the outermost loop of its function that the line asked for stands in,
  /// or is the head of; nil if there is none. Loops that wait for something (`await`) do not count.
  var headOfOutermostLoop: Int? {
    var found: Int?
    var block = code[asked].firstIndex(of: UInt8(ascii: "{")) ?? opening(before: asked.lowerBound)
    while let opening = block {
      let head = Self.words(code[start(ofStatementBefore: opening)..<opening])
      let isBlock = head.first.map(Self.blocks.contains) == true
      guard isBlock || opening >= asked.lowerBound else { break }
      if let first = head.first, Self.loops.contains(first), let end = closing(of: opening),
        !head.contains("await"), !Self.words(code[opening..<end]).contains("await")
      {
        found = line(at: opening)
      }
      block = self.opening(before: opening)
    }
    return found
  }

  /// Whether the line asked for stands in a loop of its function, if only in a block within that.
  var isInLoop: Bool { isInLoop(at: asked.lowerBound) }

  /// Returns whether a position is in a loop of its function likewise.
  func isInLoop(at position: Int) -> Bool {
    var position = position
    while let opening = opening(before: position) {
      guard let first = Self.words(code[start(ofStatementBefore: opening)..<opening]).first,
        Self.blocks.contains(first)
      else { return false }
      if Self.loops.contains(first) { return true }
      position = opening
    }
    return false
  }

  /// Returns where the innermost block around a position begins.
  func opening(before position: Int) -> Int? {
    var depth = 0
    for index in stride(from: position - 1, through: 0, by: -1) {
      if code[index] == UInt8(ascii: "}") { depth += 1 }
      if code[index] == UInt8(ascii: "{") {
        if depth == 0 { return index }
        depth -= 1
      }
    }
    return nil
  }

  /// Returns where a block ends.
  func closing(of opening: Int) -> Int? {
    var depth = 0
    for index in opening..<code.count {
      if code[index] == UInt8(ascii: "{") { depth += 1 }
      if code[index] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  func start(ofStatementBefore position: Int) -> Int {
    let ends: [UInt8] = ["\n", "{", ";"].map { UInt8(ascii: $0) }
    return (code[..<position].lastIndex { ends.contains($0) } ?? -1) + 1
  }

  static func words(_ code: ArraySlice<UInt8>) -> [String] {
    String(decoding: code, as: UTF8.self).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .map(String.init)
  }
}
