import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Comparisons of traces")
struct TraceComparisonTests {
  private let folder = TemporaryFolder()

  private func reader(_ script: TraceScript, _ name: String, blockEvents: Int = 50) throws
    -> TraceReader
  {
    try script.write(to: folder.file(name), blockEvents: blockEvents)
    return try TraceReader(path: folder.file(name))
  }

  private func event(_ ordinal: Int) -> EventName {
    EventName(ring: 1, sequence: UInt64(ordinal))
  }

  private func comparison(_ left: TraceScript, _ right: TraceScript) throws -> TraceComparison {
    try TraceComparison(
      reader(left, "left"), Selection(), reader(right, "right"), Selection())
  }

  /// A stream of so many numbers, one of which may be another.
  private func numbers(_ count: Int, except ordinal: Int = 0) -> TraceScript {
    var script = TraceScript()
    let stream = script.stream("numbers")
    for number in stride(from: 1, through: count, by: 1) {
      let payload: ScriptedPayload = .integer(Int64(number == ordinal ? -1 : number))
      script.record(.value, of: stream, payload, at: Double(number))
    }
    return script
  }

  /// The first, the last, and those beside powers of two.
  static let ordinals = [1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 299, 300]

  @Test("streams part at the delivery that differs, wherever it is", arguments: ordinals)
  func place(of ordinal: Int) throws {
    for mostMarks in [1, 2, 3, 7, 1_000] {
      let comparison = try TraceComparison(
        reader(numbers(300), "left"), Selection(),
        reader(numbers(300, except: ordinal), "right"), Selection(), mostMarks: mostMarks)
      let found = try #require(comparison.divergences.first)
      #expect(comparison.divergences.count == 1 && comparison.same == 0)
      #expect(found.ordinal == ordinal && found.leftCount == 300 && found.rightCount == 300)
      #expect(found.left == event(ordinal) && found.right == event(ordinal))
    }
  }

  @Test("a stream that goes on parts from one that does not after its last", arguments: ordinals)
  func end(after count: Int) throws {
    let (short, long) = (numbers(count), numbers(301))
    let longer = try #require(comparison(short, long).divergences.first)
    #expect(longer.ordinal == count + 1 && longer.left == nil)
    #expect(longer.right == event(count + 1) && longer.leftCount == count)
    let shorter = try #require(comparison(long, short).divergences.first)
    #expect(shorter.ordinal == count + 1 && shorter.right == nil)
    #expect(shorter.left == event(count + 1) && shorter.rightCount == count)
    #expect(try comparison(long, long).isSame)
  }

  @Test("streams of one name are one: their deliveries in the order of their times")
  func names() throws {
    func script(_ texts: [String], threads: (UInt32, UInt32)) -> TraceScript {
      var script = TraceScript()
      let streams = (script.stream("s"), script.stream("s"))
      _ = script.thread("two", ring: 2)
      for (index, text) in texts.enumerated() {
        let isFirst = index % 2 == 0
        script.value(
          isFirst ? streams.0 : streams.1, text, at: Double(index),
          ring: isFirst ? threads.0 : threads.1)
      }
      return script
    }
    let (one, two) = (
      script(["a", "b", "c"], threads: (1, 2)), script(["a", "b", "c"], threads: (2, 1))
    )
    let same = try comparison(one, two)
    #expect(same.isSame && same.same == 1)
    let found = try comparison(one, script(["a", "c", "b"], threads: (1, 2))).divergences
    #expect(found.map(\.ordinal) == [2])
  }

  @Test("the kind of a delivery, how it is written and every byte of it count")
  func contents() throws {
    func script(_ deliveries: [(RecordKind, ScriptedPayload)]) -> TraceScript {
      var script = TraceScript()
      let stream = script.stream("s")
      for (index, (kind, payload)) in deliveries.enumerated() {
        script.record(kind, of: stream, payload, at: Double(index))
      }
      return script
    }
    let all: [[(RecordKind, ScriptedPayload)]] = [
      [(.value, .integer(1)), (.value, .integer(2))],
      [(.value, .integer(2)), (.value, .integer(1))],
      [(.value, .unsigned(1)), (.value, .integer(2))],
      [(.failed, .integer(1)), (.value, .integer(2))],
      [(.value, .string("ab")), (.value, .string("c"))],
      [(.value, .string("a")), (.value, .string("bc"))],
      [(.value, .string("ab", originally: 9)), (.value, .string("c"))],
      [(.value, .bytes([0])), (.value, .bytes([]))], [(.value, .bytes([])), (.value, .bytes([0]))],
      [(.value, .bytes([0, 0])), (.value, .bytes([]))],
      [(.value, .string("12345678")), (.value, .unit)],
      [(.value, .string("12345679")), (.value, .unit)],
      [(.value, .string("123456781")), (.value, .unit)],
      [(.value, .string("123456782")), (.value, .unit)], [(.value, .unit), (.completed, .absent)],
      [(.value, .unit), (.interrupted, .absent)],
    ]
    for (index, one) in all.enumerated() {
      for (otherIndex, other) in all.enumerated() {
        let isSame = try comparison(script(one), script(other)).isSame
        #expect(isSame == (index == otherIndex), "\(one), \(other)")
      }
    }
  }

  @Test("what is in one trace alone is sorted by name, and what differs by time")
  func order() throws {
    func script(_ values: [(name: String, text: String)]) -> TraceScript {
      var script = TraceScript()
      for (index, value) in values.enumerated() {
        let stream = script.stream(value.name)
        script.value(stream, value.text, at: Double(index))
      }
      return script
    }
    let comparison = try comparison(
      script([("y", ""), ("late", "1"), ("early", "1"), ("x", ""), ("like", "")]),
      script([("b", ""), ("early", "2"), ("late", "2"), ("like", ""), ("a", "")]))
    #expect(comparison.onlyLeft == ["x", "y"] && comparison.onlyRight == ["a", "b"])
    #expect(comparison.divergences.map(\.name) == ["late", "early"])
    #expect(comparison.same == 1)
  }

  @Test("only what is selected is compared, each time that a trace is looked at")
  func selection() throws {
    let (left, right) = (
      try reader(numbers(300), "left"), try reader(numbers(300, except: 200), "right")
    )
    func found(_ change: (inout Selection) -> Void) throws -> [TraceComparison.Divergence] {
      var selection = Selection()
      change(&selection)
      return try TraceComparison(left, selection, right, selection, mostMarks: 2).divergences
    }
    #expect(try found { $0.head = 199 }.isEmpty)
    #expect(try found { $0.head = 200 }.map(\.ordinal) == [200])
    #expect(try found { $0.tail = 100 }.isEmpty)
    #expect(try found { $0.tail = 150 }.map(\.ordinal) == [50])
    #expect(try found { $0.since = .event("1.100") }.map(\.ordinal) == [101])
    #expect(try found { $0.tail = 150 }.map(\.right) == ["1.200"])
  }

  @Test("a comparison finds what keeping everything finds", arguments: 0..<40 as Range<UInt64>)
  func naive(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let deliveries = RandomDeliveries(using: &random)
    var changed = deliveries
    changed.change(using: &random)
    let left = try reader(deliveries.script, "left", blockEvents: 64)
    let right = try reader(changed.script, "right", blockEvents: 23)
    let expected = try NaiveComparison(left, right)
    for mostMarks in [1, 5, 64, 100_000] {
      let comparison = try TraceComparison(
        left, Selection(), right, Selection(), mostMarks: mostMarks)
      #expect(NaiveComparison(comparison) == expected, "seed \(seed), \(mostMarks) marks")
      #expect(comparison.isWhole)
      #expect(
        comparison.isSame
          == (expected.divergences.isEmpty && expected.onlyLeft.isEmpty
            && expected.onlyRight.isEmpty))
    }
  }
}
