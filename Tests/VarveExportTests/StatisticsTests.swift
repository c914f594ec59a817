import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// The figures of a range, which two threads count.
@Suite("Statistics of a range")
struct StatisticsTests {
  private let folder = TemporaryFolder()

  /// An event as the test knows it, of a stream.
  private struct Known {
    let lane: Int
    let tick: UInt64
    let isValue: Bool
    let number: Int64
  }

  /// Values and ends of a few streams, sent by three threads at times that chance chooses.
  private func recorded() throws -> (reader: TraceReader, known: [Known]) {
    var script = TraceScript()
    let rings: [UInt32] = [1, script.thread("a", ring: 2), script.thread("b", ring: 3)]
    let streams = (0..<7).map { script.stream("s\($0)", line: UInt32($0 + 1)) }
    var random = SystemRandomNumberGenerator()
    var known: [Known] = []
    var tick = TraceScript.start
    for _ in 0..<3_000 {
      // Some at the same moment: the border between the halves may lie there.
      tick += random.next(upperBound: UInt64(4)) * 1_000
      let lane = Int(random.next(upperBound: UInt(streams.count)))
      let isValue = random.next(upperBound: UInt(9)) > 0
      let number = Int64(random.next(upperBound: UInt(1_000)))
      script.record(
        isValue ? .value : .failed, of: streams[lane], isValue ? .integer(number) : .absent,
        ticks: tick, ring: rings[Int(random.next(upperBound: UInt(3)))])
      known.append(
        Known(lane: lane, tick: tick - TraceScript.start, isValue: isValue, number: number))
    }
    let path = folder.file("range.varve")
    try? FileManager.default.removeItem(atPath: path)
    try script.write(to: path, blockEvents: 64)
    let reader = try TraceReader(path: path)
    let first = try #require(TraceSpan(of: reader).ticks).lowerBound - TraceScript.start
    return (
      reader,
      known.map {
        Known(lane: $0.lane, tick: $0.tick - first, isValue: $0.isValue, number: $0.number)
      }
    )
  }

  /// The messages of an answer, as objects.
  private func asked(_ session: ViewerSession, _ parameters: [String: String]) throws
    -> [[String: Any]]
  {
    let sent = Lock<[String]>([])
    let messages = ViewerMessages(
      isWanted: { true }, send: { text in sent.withLock { $0.append(text) } })
    guard case .sent = session.answer(ViewerQuestion("statistics", parameters), messages) else {
      Issue.record("it did not answer by messages")
      return []
    }
    return try sent.withLock { $0 }.joined().split(separator: "\n\n").map { message in
      let data = try #require(message.split(separator: "data: ", maxSplits: 1).last)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    }
  }

  @Test("they are those that one would count by hand, wherever the two halves meet")
  func figures() throws {
    let (reader, known) = try recorded()
    let session = ViewerSession(
      reader, files: ["range.varve"], symbols: { Symbolizer($0, looksUp: false) }, grows: false)
    let last = try #require(known.last).tick
    for (from, to) in [
      (0, last), (last / 3, last / 2), (0, 0), (last / 2, last / 2), (last / 4, last / 4 + 5_000),
      (last, last + 1_000),
    ] {
      let answer = try asked(session, ["from": String(from), "to": String(to)])
      let inside = known.filter { (from...to).contains($0.tick) }
      let done = try #require(answer.last)
      #expect(done["count"] as? Int == inside.count, "\(from)...\(to)")
      let rows = answer.filter { $0["lane"] != nil }
      #expect(Set(rows.compactMap { $0["lane"] as? Int }) == Set(inside.map(\.lane)))
      for row in rows {
        let own = inside.filter { $0.lane == row["lane"] as? Int }
        let values = own.filter(\.isValue)
        #expect(row["count"] as? Int == own.count && row["values"] as? Int == values.count)
        #expect(row["failed"] as? Int == own.count - values.count)
        let gaps = zip(values, values.dropFirst()).map { Double($1.tick - $0.tick) }
        try expect(row["gaps"], gaps)
        try expect(row["numbers"], values.map { Double($0.number) })
      }
    }
  }

  private func expect(_ summary: Any?, _ numbers: [Double]) throws {
    guard !numbers.isEmpty else {
      #expect(summary is NSNull)
      return
    }
    let summary = try #require(summary as? [String: Any])
    let sorted = numbers.sorted()
    func quantile(_ part: Double) -> Double {
      sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }
    #expect(summary["count"] as? Int == numbers.count)
    for (name, expected) in [
      ("min", sorted[0]), ("max", sorted[sorted.count - 1]), ("p50", quantile(0.5)),
      ("p90", quantile(0.9)), ("p99", quantile(0.99)),
    ] { #expect(summary[name] as? Double == expected, "\(name)") }
  }

  @Test("they say how long that lasted which began and ended in the range, on whatever threads")
  func durations() throws {
    var script = TraceScript()
    let other = script.thread("other", ring: 2)
    let (stream, queue) = (script.stream("s", line: 1), script.scheduler("queue"))
    // Of the same number, a subscription and a piece of work: the first few of each are over in the
    // first half, the last ones never.
    for index in 0..<40 {
      let (id, began) = (UInt64(index + 1), Double(index * 10))
      for (begin, of) in [(RecordKind.subscribed, stream), (.hopBegan, queue)] {
        script.record(begin, of: of, at: began, subscription: id)
      }
      guard index >= 20 else { continue }
      for (end, of) in [(RecordKind.ended, stream), (.hopEnded, queue)] {
        script.record(end, of: of, at: began + 1, ring: other, subscription: id - 20)
      }
    }
    let path = folder.file("durations.varve")
    try script.write(to: path, blockEvents: 16)
    let session = ViewerSession(
      try TraceReader(path: path), files: ["durations.varve"],
      symbols: { Symbolizer($0, looksUp: false) }, grows: false)
    let millisecond = TraceScript.ticks(1) - TraceScript.ticks(0)
    for (first, expected) in [(0, 20), (5, 15)] {
      let answer = try asked(session, ["from": String(UInt64(first * 10) * millisecond)])
      let durations = answer.filter { $0["lane"] != nil }.compactMap {
        $0["durations"] as? [String: Any]
      }
      #expect(durations.count == 2)
      for one in durations { try expect(one, Array(repeating: 201e6, count: expected)) }
    }
  }

  @Test("the events of some lanes alone are counted where they are asked for")
  func lanes() throws {
    let (reader, known) = try recorded()
    let session = ViewerSession(
      reader, files: ["range.varve"], symbols: { Symbolizer($0, looksUp: false) }, grows: false)
    let answer = try asked(session, ["lanes": "2,4-5"])
    #expect(answer.last?["count"] as? Int == known.count { [2, 4, 5].contains($0.lane) })
    #expect(answer.compactMap { $0["lane"] as? Int } == [2, 4, 5])
  }

  @Test("of more numbers than are kept, quantiles are near, and the ends are exact")
  func estimated() throws {
    for (first, second) in [(40_000, 40_000), (90_000, 500), (10, 60_000), (0, 30_000)] {
      var one = NumberSample(oneOf: 1)
      var other = NumberSample(oneOf: 1)
      let all = first + second
      // Each number once, those of the first sample spread among all.
      for number in 0..<all {
        if number * first / all != (number + 1) * first / all {
          one.add(Double(number))
        } else {
          other.add(Double(number))
        }
      }
      let json = try #require(NumberDistribution(one, other).json)
      let summary = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(summary["count"] as? Int == all && summary["min"] as? Double == 0)
      #expect(summary["max"] as? Double == Double(all - 1))
      for (name, part) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
        let found = try #require(summary[name] as? Double)
        #expect(abs(found / Double(all) - part) < 0.03, "\(name) of \(first) and \(second)")
      }
      let bars = try #require(summary["histogram"] as? [[Double]])
      let counted = bars.reduce(0) { $0 + $1[1] }
      #expect(abs(counted - Double(all)) <= Double(bars.count))
    }
  }
}
