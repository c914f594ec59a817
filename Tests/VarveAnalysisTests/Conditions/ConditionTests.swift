import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Conditions")
struct ConditionTests {
  private let folder = TemporaryFolder()
  private let reader: TraceReader

  init() throws {
    var script = TraceScript()
    let numbers = script.stream("numbers")
    let words = script.stream("search words", "map", from: [numbers], line: 31)
    let worker = script.thread("worker", ring: 2)
    let queue = script.scheduler("QueueScheduler(work)")
    for number in 1...5 {
      script.record(
        .value, of: numbers, .integer(Int64(number)), at: Double(number), subscription: 7)
    }
    script.record(.value, of: numbers, .real(3.5), at: 6)
    script.record(.value, of: numbers, .null, at: 7)
    script.record(.value, of: numbers, .boolean(true), at: 8)
    script.record(.hopBegan, of: queue, at: 9, ring: worker, subscription: 3)
    script.value(words, "lake", at: 10, ring: worker)
    script.value(words, "lamp", at: 11, ring: worker)
    script.record(.hopEnded, of: queue, at: 12, ring: worker, subscription: 3)
    script.record(.failed, of: words, .string("lost", originally: 9000), at: 13, ring: worker)
    script.end(9, of: numbers, .disposed, at: 14.5, ring: worker)
    let path = folder.file("conditions.varve")
    try script.write(to: path, blockEvents: 3)
    reader = try TraceReader(path: path)
  }

  /// The times, in milliseconds, of the events that are selected.
  private func times(_ selection: Selection) throws -> [Int64] {
    var times: [Int64] = []
    var query = try EventQuery(selection, in: reader, columns: .ticks)
    query.run { page in
      page.forEach {
        times.append(reader.nanoseconds(sinceStart: $0.columns.ticks[$1]) / 1_000_000)
      }
      return true
    }
    return times
  }

  private func times(where condition: String) throws -> [Int64] {
    var selection = Selection()
    selection.condition = try Condition(condition)
    return try times(selection)
  }

  /// Texts with and without characters of several bytes, or of several scalars.
  private static let texts = [
    "", "lake", "lamp", "a?b", "a*b", "\u{e9}t\u{e9}", "e\u{301}te\u{301}", "a\r\nb", "a\nb",
    "\u{212a}", "K", "K\r\n", "\u{1f469}\u{200d}\u{1f680} lake",
  ]

  @Test(
    "match texts as a pattern matches names, in many blocks, some of them with a text again and again",
    arguments: [
      "lake", "*", "?", "??", "?*?", "l*e", "*a*", "a?b", "a*b", "\u{e9}t\u{e9}", "\u{e9}*", "K",
      "K*", "\u{212a}", "/^l/", "/a.b/", "/\u{e9}/",
    ])
  func texts(pattern: String) throws {
    var script = TraceScript()
    let stream = script.stream("texts")
    let other = script.thread("other", ring: 2)
    var expected: [EventName] = []
    let named = try NamePattern(pattern)
    for number in 0..<200 {
      let text = Self.texts[number / 50 % 2 == 0 ? number % 2 : number % Self.texts.count]
      let name = script.value(stream, text, at: Double(number), ring: number % 3 == 0 ? other : 1)
      if named.matches(text) { expected.append(name) }
    }
    let path = folder.file("texts.varve")
    try script.write(to: path, blockEvents: 9)
    for (condition, wanted) in [
      ("value ~ '\(pattern)'", expected), ("value ~ '\(pattern)' && value ~ '*'", expected),
      ("!(value ~ '\(pattern)') && value ~ '\(pattern)'", []),
    ] {
      var selection = Selection()
      selection.condition = try Condition(condition)
      var query = try EventQuery(selection, in: try TraceReader(path: path), columns: [])
      var found: [EventName] = []
      query.run { page in
        page.forEach { found.append($0.columns.name($1)) }
        return true
      }
      #expect(found == wanted, "\(condition)")
    }
  }

  @Test(
    "choose what they say",
    arguments: [
      ("value > 3", [4, 5, 6]), ("value >= 3 && value != 4", [3, 5, 6]),
      ("value == 3.5", [6]), ("value == nil", [7]), ("value == true", [8]),
      ("value == \"lake\"", [10]), ("value ~ \"la*\"", [10, 11]), ("value ~ '/^l.mp$/'", [11]),
      ("value < \"lb\"", [10, 11]), ("name ~ \"search*\"", [10, 11, 13]),
      ("name == numbers && value <= 2", [1, 2]), ("kind == failed", [13]),
      ("kind == hop", [9, 12]), ("kind != value", [9, 12, 13, 14]),
      ("thread == worker", [9, 10, 11, 12, 13, 14]),
      ("thread == \"main\" && value > 4", [5]), ("time >= 12ms", [12, 13, 14]),
      ("time < 2500us || value == \"lamp\"", [1, 2, 11]),
      ("kind in (failed, hop)", [9, 12, 13]), ("value in (1, 3.5, \"lake\")", [1, 6, 10]),
      ("name ~ /^search (words|x)$/", [10, 11, 13]), ("stream == 2", [10, 11, 13]),
      ("operator == map && kind == value", [10, 11]), ("place == Shop.swift:31", [10, 11, 13]),
      ("operator != map && time > 8ms", [9, 12, 14]),
      ("scheduler ~ \"Queue*\"", [9, 10, 11, 12]), ("subscription == 3", [9, 12]),
      ("subscription > 3 && value > 4", [5]), ("place ~ \"*:31\"", [10, 11, 13]),
      ("place != \"Shop/Shop.swift:31\" && thread == worker", [9, 12, 14]),
      ("step > 1ms", [14]), ("reason == disposed", [14]), ("kind == disposed", [14]),
      ("value is truncated", [13]), ("kind == failed && value is not truncated", []),
      ("!(time < 11ms) && !(kind == hop)", [11, 13, 14]), ("name ~ \"Queue*\"", [9, 12]),
      ("not time < 11ms and not (kind == hop)", [11, 13, 14]),
      ("value == 1 or value == 2 and value == 3", [1]), ("time > 80%", [12, 13, 14]),
      ("time <= #1.2 or time >= 100%", [1, 2, 14]), ("event == #2.3", [11]),
      ("event in ('1.1', #2.2)", [1, 10]), ("event != #1.1 and value < 4", [2, 3, 6]),
    ] as [(String, [Int64])])
  func choose(condition: String, expected: [Int64]) throws {
    #expect(try times(where: condition) == expected)
  }

  @Test(
    "show a mistake with a caret under it",
    arguments: [
      ("vlaue > 3", "there is no field \"vlaue\"; did you mean \"value\"?", 0),
      ("value >", "expected a number or a text", 7),
      ("value 3", "expected ==, !=, <, <=, >, >=, ~, in or is", 6),
      ("value > 3 but", "expected && or ||, or the end", 10),
      ("time > 150%", "\"150%\" is no percentage from 0% to 100%", 7),
      ("step > 50%", "\"50%\" is neither a number nor a time such as 20ms", 7),
      ("event == 7", "event is compared with the name of one: #4.1749", 9),
      ("event > #1.2", "event is compared by ==, != or in", 8),
      ("(value > 3", "expected )", 10), ("value == \"lake", "this text does not end", 9),
      ("time > 3", "a time takes a unit: 1.5s, 20ms", 7),
      ("name < \"a\"", "name is compared by ==, !=, ~ or in", 7),
      ("value > 3xyz", "\"3xyz\" is neither a number nor a time such as 20ms", 8),
      ("kind == valeu", "no kind of event is called \"valeu\"; did you mean \"value\"?", 8),
      ("name is truncated", "only a value is truncated", 0),
      ("value is cut", "expected truncated, or not truncated", 9),
      (
        "kind in (value, valeu)", "no kind of event is called \"valeu\"; did you mean \"value\"?",
        16
      ),
      ("kind in (value", "expected , or )", 14), ("kind in value", "expected (", 8),
      ("name ~ /a(b c", "this expression does not end", 7),
      ("stream == \"a\"", "stream is compared with its number: 12", 10),
      (
        "",
        "expected one of value, name, stream, operator, kind, thread, scheduler, subscription, time, "
          + "step, place, reason, event",
        0
      ),
    ])
  func mistakes(condition: String, message: String, column: Int) throws {
    let error = #expect(throws: SelectionError.self) { try Condition(condition) }
    #expect(error?.message == message)
    #expect(error?.excerpt?.text == condition && error?.excerpt?.offset == column)
  }

  /// Counts the blocks that are decoded.
  private final class Counting: EventSource {
    let reader: TraceReader
    var decoded: Set<Int> = []
    init(_ reader: TraceReader) { self.reader = reader }
    var blocks: [BlockSummary] { reader.blocks }
    var time: TraceTime { reader.time }
    var started: UInt64 { reader.started }
    var definitions: TraceDefinitions { reader.definitions }
    func decode(
      _ block: Int, into columns: inout EventColumns, columns wanted: ColumnSet
    ) throws(TraceFileError) {
      decoded.insert(block)
      try reader.decode(block, into: &columns, columns: wanted)
    }
  }

  @Test(
    "F5: conditions on kind, name, thread and time decode only the blocks that can match",
    arguments: [
      ("kind == failed", 1), ("kind in (failed, completed) && value ~ \"l*\"", 1),
      ("name == \"search words\"", 2), ("thread == worker && time > 13ms", 1),
      ("time < 3500us", 2), ("!(time < 9ms)", 2), ("time > 1h", 0), ("thread == nobody", 0),
      ("event == #2.3", 1), ("time > 90%", 1), ("kind != value", 2), ("name ~ \"Queue*\"", 2),
      ("kind == failed || time < 2ms", 2),
    ])
  func index(condition: String, most: Int) throws {
    let counting = Counting(reader)
    var selection = Selection()
    selection.condition = try Condition(condition)
    var query = try EventQuery(selection, in: counting, columns: .ticks)
    query.run { _ in true }
    #expect(counting.decoded.count <= most, "\(counting.decoded) of \(reader.blocks.count)")
    #expect(reader.blocks.count > 4)
  }

  @Test("parentheses that never end overflow no stack")
  func deep() {
    #expect(throws: SelectionError.self) {
      try Condition(String(repeating: "(", count: 100_000) + "value > 3")
    }
    #expect(throws: SelectionError.self) {
      try Condition(String(repeating: "!", count: 100_000) + "value > 3")
    }
    #expect(throws: SelectionError.self) {
      try Condition(String(repeating: "value > 3 || ", count: 100_000) + "value > 3")
    }
  }

  @Test("subscriptions, threads and schedulers are chosen by number and by name")
  func others() throws {
    var selection = Selection()
    selection.subscriptions = [7]
    #expect(try times(selection) == [1, 2, 3, 4, 5])
    selection = Selection()
    selection.threads = [try NamePattern("work*")]
    #expect(try times(selection) == [9, 10, 11, 12, 13, 14])
    selection.tail = 2
    #expect(try times(selection) == [13, 14])
    selection = Selection()
    selection.schedulers = [try NamePattern("QueueScheduler(work)")]
    // What its work did, and not what the same thread did afterwards.
    #expect(try times(selection) == [9, 10, 11, 12])
  }

  @Test("streams above and below others are found by what they were made from and what fed them")
  func reach() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    let query = script.stream("query", from: [keys])
    let lookup = script.stream("lookup")
    let results = script.stream("results", "flatMap", from: [query])
    let other = script.stream("other", from: [keys])
    _ = script.subscribe(lookup, to: results, at: 0)
    for (time, stream) in [keys, query, lookup, results, other].enumerated() {
      script.value(stream, "x", at: Double(time + 1))
    }
    let path = folder.file("reach.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    var selection = Selection()
    selection.upstreamOf = [try NamePattern("results")]
    let above = try selection.resolved(in: reader).streams
    #expect(above == [keys, query, lookup, results])
    selection = Selection()
    selection.downstreamOf = [try NamePattern("query")]
    let below = try selection.resolved(in: reader).streams
    #expect(below == [query, results])
    selection.upstreamOf = [try NamePattern("results")]
    #expect(try selection.resolved(in: reader).streams == [query, results])
  }
}
