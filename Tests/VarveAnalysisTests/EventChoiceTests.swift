import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Choices of single events")
struct EventChoiceTests {
  private let folder = TemporaryFolder()

  @Test(
    "a choice contains what a query with the same selection delivers",
    arguments: [
      "name == \"a\"", "value > 10", "kind == failed", "thread == \"other\" && value < 5",
      "name == \"nothing\"",
    ])
  func sameAsQuery(condition: String) throws {
    var script = TraceScript()
    let other = script.thread("other", ring: 2)
    let (one, two) = (script.stream("a"), script.stream("b"))
    var names: [EventName] = []
    for index in 0..<60 {
      let ring: UInt32 = index % 3 == 0 ? other : 1
      let stream = index % 2 == 0 ? one : two
      names.append(
        script.record(
          index % 20 == 19 ? .failed : .value, of: stream, .integer(Int64(index)),
          at: Double(index), ring: ring))
    }
    let path = folder.file("choice.varve")
    try script.write(to: path, blockEvents: 8)
    let reader = try TraceReader(path: path)
    for since in [nil, "+20ms"] {
      var selection = Selection()
      selection.condition = try Condition(condition)
      selection.since = try since.map { try TimeExpression($0) }
      var query = try EventQuery(selection, in: reader, columns: [])
      var delivered: Set<EventName> = []
      query.run { page in
        page.forEach { batch, index in
          delivered.insert(
            EventName(
              ring: batch.columns.ring, sequence: batch.columns.firstSequence + UInt64(index)))
        }
        return true
      }
      let choice = try EventChoice(selection, in: reader)
      #expect(Set(names.filter { choice.contains($0) }) == delivered)
      #expect(!choice.isEverything && choice.damage.isEmpty)
      #expect(!choice.contains(EventName(ring: 9, sequence: 1)))
    }
    #expect(try EventChoice(Selection(), in: reader).isEverything)
  }
}
