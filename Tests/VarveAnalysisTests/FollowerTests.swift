import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Following a trace that grows")
struct FollowerTests {
  private let folder = TemporaryFolder()

  private func reader(events: Int, blockEvents: Int) throws -> TraceReader {
    var script = TraceScript()
    let numbers = script.stream("numbers")
    let other = script.thread("other", ring: 2)
    for index in 0..<events {
      script.record(.value, of: numbers, .integer(Int64(index)), at: Double(index * 2))
      script.value(numbers, "text \(index)", at: Double(index * 2 + 1), ring: other)
    }
    let path = folder.file("grow.varve")
    try script.write(to: path, blockEvents: blockEvents, ending: nil)
    return try TraceReader(path: path)
  }

  /// What is handed out, as text.
  private func lines(_ fresh: FreshEvents) throws -> [String] {
    var query = try EventQuery(Selection(), in: fresh, columns: .all)
    var lines: [String] = []
    query.run { page in
      page.forEach { batch, index in
        let columns = batch.columns
        let text = columns.heap[
          Int(columns.textStarts[index])..<Int(columns.textStarts[index + 1])]
        lines.append(
          """
          \(columns.name(index)) \(columns.ticks[index]) \(columns.words[index]) \
          \(String(decoding: text, as: UTF8.self))
          """)
      }
      return true
    }
    #expect(query.damage.isEmpty)
    return lines
  }

  /// The name of each line's event.
  private func names(_ lines: [String]) -> [Substring] {
    lines.map { $0.prefix { $0 != " " } }
  }

  @Test("F4, T13: each event is handed out once, however the file has been divided meanwhile")
  func once() throws {
    var follower = TraceFollower()
    var shown: [String] = []
    // The same records lie in ever other blocks: as they do that were in a ring at first.
    for (events, size) in [(10, 4), (10, 10), (25, 7), (40, 3), (40, 40), (100, 64)] {
      shown += try lines(follower.take([reader(events: events, blockEvents: size)]))
    }
    #expect(Set(names(shown)).count == 200)
    #expect(shown.count == 200)
  }

  @Test("T4: what is newer than the limit waits, so that all that is handed out is in order")
  func limit() throws {
    var follower = TraceFollower()
    let reader = try reader(events: 50, blockEvents: 16)
    var shown: [String] = []
    for moment in stride(from: 0.0, through: 99, by: 7) {
      let fresh = try follower.take([reader], upTo: TraceScript.ticks(moment))
      let next = try lines(fresh)
      #expect(fresh.blocks.allSatisfy { $0.count > 0 })
      shown += next
      #expect(shown.count == Int(moment) + 1)
    }
    shown += try lines(follower.take([reader]))
    #expect(names(shown) == (0..<100).map { "\($0 % 2 + 1).\($0 / 2 + 1)" })
    #expect(try lines(follower.take([reader])).isEmpty)
  }

  @Test("columns that are cut to a part keep what belongs together")
  func part() throws {
    let reader = try reader(events: 20, blockEvents: 20)
    for block in reader.blocks.indices {
      var whole = EventColumns()
      try reader.decode(block, into: &whole, columns: .all)
      for part in [0..<20, 3..<20, 0..<7, 5..<6] {
        var columns = whole
        columns.keep(part)
        #expect(columns.count == part.count)
        #expect(columns.firstSequence == whole.firstSequence + UInt64(part.lowerBound))
        #expect(columns.ticks == Array(whole.ticks[part]))
        #expect(columns.words == Array(whole.words[part]))
        #expect(columns.textStarts == Array(whole.textStarts[part.lowerBound...part.upperBound]))
      }
    }
  }
}
