import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

@testable import VarveExport

/// Answers of the viewer that are given up when they take too long.
@Suite("Patience of answers")
struct PatienceTests {
  private let folder = TemporaryFolder()

  private func snapshot(values: Int, blockEvents: Int = 4096) throws -> ViewerSnapshot {
    var script = TraceScript()
    let source = script.stream("source", line: 3)
    let queue = script.scheduler("queue")
    _ = script.subscribe(source, to: 0, at: 0)
    script.record(.hopScheduled, of: queue, at: 0, subscription: 1)
    for turn in 0..<values {
      script.record(.value, of: source, .integer(Int64(turn)), at: 1 + Double(turn))
    }
    let path = folder.file("patience.varve")
    try? FileManager.default.removeItem(atPath: path)
    try script.write(to: path, blockEvents: blockEvents)
    return ViewerSnapshot(try TraceReader(path: path))
  }

  /// An answer to a question that is late before it begins.
  private func asked(
    _ snapshot: ViewerSnapshot, _ parameters: [String: String],
    _ answer: (ViewerEventAnswers) -> (ViewerQuestion) -> ViewerAnswer
  ) throws -> [String: Any] {
    let late = ViewerEventAnswers(snapshot, patience: AnswerPatience(.seconds(-1)))
    guard case .json(let json) = answer(late)(ViewerQuestion("", parameters)) else { return [:] }
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  @Test(
    "however busy the machine is, answers about a small trace are whole, of however many parts",
    arguments: [4096, 16])
  func small(blockEvents: Int) throws {
    let snapshot = try snapshot(values: 500, blockEvents: blockEvents)
    let events = try asked(snapshot, [:]) { $0.events }
    #expect((events["events"] as? [Any])?.count == 502 && events["more"] as? Bool == false)
    let slices = try asked(snapshot, [:]) { $0.slices }
    #expect((slices["slices"] as? [Any])?.isEmpty == false && slices["more"] as? Bool == false)
    let state = try asked(snapshot, [:]) { $0.state }
    #expect((state["rows"] as? [Any])?.count == 1 && state["more"] as? Bool == false)
    let open = try asked(snapshot, ["lane": "0"]) { $0.subscriptions }
    #expect((open["subscriptions"] as? [Any])?.count == 1 && open["more"] as? Bool == false)
    let values = try asked(snapshot, ["lane": "0"]) { $0.values }
    #expect(values["max"] as? Double == 499)
  }

  @Test("of a long one they say that there is more, and it is found from the last event on")
  func long() throws {
    let values = 60_000
    let snapshot = try snapshot(values: values)
    var (listed, asked, after): (Int, Int, String?) = (0, 0, nil)
    while asked < 100 {
      asked += 1
      var parameters = ["limit": "20000"]
      parameters["after"] = after
      let answer = try self.asked(snapshot, parameters) { $0.events }
      let events = try #require(answer["events"] as? [[String: Any]])
      listed += events.count
      after = events.last?["event"] as? String
      if answer["more"] as? Bool == false { break }
      #expect(!events.isEmpty)
    }
    #expect(listed == values + 2 && asked > 1)
  }
}
