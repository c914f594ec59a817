import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

@testable import VarveExport

/// Which events caused others, as far as an exporter has to know before it writes them.
@Suite("Causes that are known before")
struct CauseMarksTests {
  @Test("F2: of pages few are in memory, and what was put into any is there again")
  func pages() throws {
    let walk = TraceWalk(try Rendered(TraceScript()).reader)
    for most in [1, 3, 100] {
      let pages = SpilledPages(walk, most: most)
      let numbers = (0..<40).map { _ in pages.add() }
      for round in 1...3 as ClosedRange<UInt64> {
        for number in numbers {
          let page = pages.page(number)
          #expect(page[number] == (round - 1) * UInt64(number + 1))
          page[number] += UInt64(number + 1)
        }
      }
      // The room of one that was removed serves the next, which is empty.
      pages.remove(7)
      #expect(pages.add() == 7)
      #expect(pages.page(7)[7] == 0 && pages.page(8)[8] == 27)
    }
    #expect(walk.passedOver == PassedOver())
  }

  @Test("F2: events of more threads than are in memory have all their arrows")
  func arrows() throws {
    let threads: UInt32 = 150
    var script = TraceScript()
    let stream = script.stream("keys")
    var names = [script.value(stream, "0", at: 0)]
    for ring in 2...threads {
      _ = script.thread("thread \(ring)", ring: ring)
      names.append(
        script.record(
          .value, of: stream, .string("\(ring)"), at: Double(ring), ring: ring,
          causes: [names[names.count - 1]]))
    }
    for (index, name) in names.enumerated() {
      script.record(
        .value, of: stream, .string("again"), at: 200 + Double(index), causes: [name])
    }
    let rendered = try Rendered(script)
    let words = TraceWords(rendered.reader, pid: 4711, style: .plain)
    let marks = try CauseMarks(Selection(), in: rendered.reader)
    var query = try EventQuery(Selection(), in: rendered.reader, columns: .all)
    let text = Rendered.written { output in
      var exporter = ChromeTraceExporter(
        words, causes: marks, pid: 4711, program: "shop", output: output)
      exporter.begin()
      query.run { page in
        exporter.write(page)
        return true
      }
      exporter.end()
      #expect(exporter.passedOver == PassedOver())
    }
    let begun = text.components(separatedBy: "\"ph\":\"s\"").count - 1
    let ended = text.components(separatedBy: "\"ph\":\"f\"").count - 1
    #expect(begun == Int(threads) && ended == 2 * Int(threads) - 1)
  }
}
