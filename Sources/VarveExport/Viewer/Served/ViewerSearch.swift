internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Finds events by a text in their names or values, by a regular expression, or by a condition.
struct ViewerSearch {
  private let snapshot: ViewerSnapshot

  private static let most = 5_000

  init(_ snapshot: ViewerSnapshot) { self.snapshot = snapshot }

  func run(_ question: ViewerQuestion, _ messages: ViewerMessages) -> ViewerAnswer {
    do {
      try search(question, messages)
    } catch {
      messages.failure((error as? SelectionError)?.message ?? "this is no regular expression")
    }
    return .sent
  }

  private func search(_ question: ViewerQuestion, _ messages: ViewerMessages) throws {
    guard let (period, wanted) = snapshot.selection(question) else { return messages.done("{}") }
    var selection = period
    if let condition = question["where"] { selection.condition = try Condition(condition) }
    let test = try SearchTest(question["text"] ?? "", isExpression: question["regex"] != nil)
    let words = snapshot.words()
    let text = ViewerEventText(words, first: snapshot.first)
    let named = Set(snapshot.lanes.all.indices.filter { test.matches(name($0, words)) })
    let hasCondition = question["where"] != nil
    var query = try EventQuery(selection, in: snapshot.reader, columns: .all)
    var progress = ViewerProgress(messages, of: snapshot.reader.events)
    var (read, found): (UInt64, Int) = (0, 0)
    query.run { page in
      page.forEach { batch, index in
        guard found < Self.most else { return }
        let columns = batch.columns
        guard columns.kinds[index] != RecordKind.assembled.rawValue else { return }
        guard
          hasCondition || !named.isEmpty
            || test.mayMatch(
              PayloadKind(rawValue: columns.payloadKinds[index]), columns.text(at: index))
        else { return }
        let event = batch.event(at: index)
        guard let lane = snapshot.lanes.lane(of: event), wanted?.contains(lane) ?? true else {
          return
        }
        guard
          hasCondition || named.contains(lane) || test.matches(event.payload)
            || event.reason.map(test.matches) ?? false
        else { return }
        found += 1
        messages.row(text.object(event, lane: lane, bytes: 400))
      }
      read += UInt64(page.due.count)
      return found < Self.most && progress.goesOn(read)
    }
    messages.done("{\"count\":\(found)}")
  }

  private func name(_ lane: Int, _ words: TraceWords) -> String {
    switch snapshot.lanes.all[lane] {
    case .stream(let id): words.stream(id)
    case .scheduler(let id): words.scheduler(id)
    case .thread, .task: ""
    }
  }
}

/// What a search looks for in texts, without regard to case unless it is an expression.
struct SearchTest {
  private let wanted: [UInt8]
  private let expression: Regex<AnyRegexOutput>?
  /// Whether numbers may have it: digits, signs, exponents, "inf" and "nan".
  private let isLikeNumber: Bool

  init(_ text: String, isExpression: Bool) throws {
    expression = isExpression ? try Regex(text) : nil
    wanted = Array(text.lowercased().utf8)
    isLikeNumber = wanted.allSatisfy("0123456789+-.einfa".utf8.contains)
  }

  /// Whether a payload of a kind, with this text, may have what is looked for: of most events of a long
  /// trace it is known without making anything of them.
  func mayMatch(_ kind: PayloadKind?, _ text: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .absent, .unit, .null, .withheld, .cause, .stream, .bytes, .task, .awaited, .made, nil:
      false
    case .string, .description, .typeOnly: mayContain(text)
    case .integer, .unsigned, .real: expression != nil || isLikeNumber
    case .boolean, .reason: true
    }
  }

  /// Whether a text may have it; certain if it has letters of ASCII alone.
  private func mayContain(_ text: ArraySlice<UInt8>) -> Bool {
    guard expression == nil, let first = wanted.first else { return true }
    var start = text.startIndex
    while start != text.endIndex {
      let byte = text[start]
      if byte >= 0x80 { return true }
      if Self.lowercase(byte) == first {
        let rest = text[start...].prefix(wanted.count)
        if rest.contains(where: { $0 >= 0x80 }) { return true }
        if rest.lazy.map(Self.lowercase).elementsEqual(wanted) { return true }
      }
      text.formIndex(after: &start)
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  func matches(_ text: String) -> Bool {
    guard !wanted.isEmpty, !text.isEmpty else { return false }
    if let expression { return text.contains(expression) }
    return contains(Array(text.lowercased().utf8))
  }

  func matches(_ payload: EventPayload) -> Bool {
    guard !wanted.isEmpty else { return false }
    switch payload.kind {
    case .string, .description, .typeOnly: return matches(payload.text)
    case .integer: return matches(String(Int64(bitPattern: payload.word)))
    case .unsigned: return matches(String(payload.word))
    case .real: return matches(Double(bitPattern: payload.word).description)
    case .boolean: return matches(payload.word == 0 ? "false" : "true")
    default: return false
    }
  }

  private func contains(_ text: [UInt8]) -> Bool {
    guard text.count >= wanted.count else { return false }
    return (0...text.count - wanted.count).contains { start in
      text[start] == wanted[0] && text[start..<start + wanted.count].elementsEqual(wanted)
    }
  }
}
