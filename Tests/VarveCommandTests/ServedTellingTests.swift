import Foundation
import Testing
import VarveTraceScript

/// The step that is most worth reading, in the viewer.
@Suite("The viewer's step to look at")
struct ServedTellingTests {
  private let folder = TemporaryFolder()

  @Test("of each value it marks what `varve why` marks, with the same sentence")
  func same() throws {
    let path = folder.file("search.varve")
    try SearchTrace().script.write(to: path)
    let view = try ServedView([path])
    let listed = try view.ask("api/events?from=0&to=99999999999").object()["events"]
    let values = try #require(listed as? [[String: Any]]).filter {
      $0["kind"] as? String == "value"
    }
    .compactMap { $0["event"] as? String }
    var marked = 0
    for event in values.suffix(6) {
      let told = try #require(try view.messages("api/telling?event=\(event)").last)
      #expect(told.name == "done")
      let run = try CommandRun(["why", path, "#\(event)", "--format", "ndjson"])
      let lines = run.output.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      let expected = lines.first { $0["evidence"] != nil }
      #expect(told.data["evidence"] as? String == expected?["evidence"] as? String, "\(event)")
      #expect(told.data["marked"] as? String == expected?["marked"] as? String, "\(event)")
      if expected != nil { marked += 1 }
    }
    #expect(marked > 0)
    // Where there is no such event, there is nothing to look at.
    #expect(try view.messages("api/telling?event=9.9").last?.data.isEmpty == true)
    #expect(try view.messages("api/telling").last?.data.isEmpty == true)
  }
}
