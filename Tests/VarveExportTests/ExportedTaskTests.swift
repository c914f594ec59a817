import Foundation
import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Other programs know which task ran, who made it, and what it waited for.
@Suite("Tasks in exports")
struct ExportedTaskTests {
  private let rendered: Rendered
  private let words: TraceWords

  init() throws {
    rendered = try Rendered(TaskStory.whole)
    words = TraceWords(rendered.reader, pid: 4711, style: .plain)
  }

  private func export(
    _ make: (ByteOutput) throws -> any TraceExporter, _ selection: Selection = Selection()
  ) throws -> String {
    var query = try EventQuery(selection, in: rendered.reader, columns: .all)
    return try Rendered.written { output in
      var exporter = try make(output)
      exporter.begin()
      query.run { page in
        exporter.write(page)
        return true
      }
      exporter.end()
    }
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("K2: in NDJSON and CSV the value of a task's record is the task that it names")
  func values() throws {
    let told = try objects(rendered.json()).filter {
      $0["value_type"] as? String == "task"
    }.map { event in
      let value = (event["value"] as? Int).map { "\($0)" } ?? "-"
      return "\(event["kind"] as? String ?? "") \(value) \(event["reason"] as? String ?? "-")"
    }
    let expected = [
      "taskCreated - -", "hopBegan 1 -", "taskCreated 1 -", "hopEnded 2 task", "hopBegan 2 -",
      "hopEnded - continuation", "taskCreated - -", "hopBegan 3 -", "hopEnded - group",
      "hopBegan 2 -", "hopEnded - ended", "hopBegan 1 -", "hopEnded - ended",
    ]
    #expect(told == expected)
    // The values, their type, the cause, the scheduler and the reason.
    let cells = try rendered.csv().split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }.filter { $0[9] == "task" }
    #expect(
      cells.map { line in
        "\(line[7]) \(line[8].isEmpty ? "-" : line[8]) \(line[12].isEmpty ? "-" : line[12])"
      } == expected)
  }

  @Test("K2: in NDJSON and CSV the records of a task have its name, whichever records are chosen")
  func names() throws {
    func told(_ selection: Selection = Selection()) throws -> [String] {
      try objects(rendered.json(selection)).compactMap { event in
        (event["task_name"] as? String).map { "\(event["kind"] as? String ?? "") \($0)" }
      }
    }
    #expect(
      try told() == [
        "taskCreated fetch", "hopBegan fetch", "hopEnded fetch", "hopBegan fetch", "hopEnded fetch",
      ])
    var ends = Selection()
    ends.kinds = KindSelection([.hopEnded])
    #expect(try told(ends) == ["hopEnded fetch", "hopEnded fetch"])
    let lines = try rendered.csv(ends).split(separator: "\r\n")
    #expect(lines.first?.hasSuffix(",to_ns,task_name") == true)
    #expect(lines.count { $0.hasSuffix(",fetch") } == 2)
    #expect(lines.count == 6)
  }

  @Test("F8: a task's name is escaped as other texts are")
  func oddName() throws {
    var tasks = TaskStory()
    tasks.script.taskTemplate(3, name: "=1,\"\u{9b}")
    tasks.make(1, template: 3, at: 0)
    let rendered = try Rendered(tasks.script)
    #expect(try rendered.json().contains(#","task_name":"=1,\"\u009b"}"#))
    #expect(try rendered.csv().contains(#","'=1,""\u{9b}"\#r\#n"#))
  }

  @Test("K2: conditions find runs of a task, and runs that ended by waiting for something")
  func conditions() throws {
    func events(_ condition: String) throws -> Int {
      var selection = Selection()
      selection.condition = try Condition(condition)
      return try objects(rendered.json(selection)).count
    }
    #expect(try events("kind == hopBegan && value == 2") == 2)
    #expect(try events("reason == \"continuation\"") == 1)
    #expect(try events("kind == hopEnded && reason == \"ended\"") == 2)
  }

  @Test("K2: Chrome's slices are called after the tasks that ran, and say what they awaited")
  func slices() throws {
    let text = try export {
      ChromeTraceExporter(
        words, causes: try CauseMarks(Selection(), in: rendered.reader), pid: 4711,
        program: "shop", output: $0)
    }
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let events = try #require(document["traceEvents"] as? [[String: Any]])
    func named(_ phase: String) -> [String] {
      events.filter { $0["ph"] as? String == phase }.compactMap { event in
        let arguments = event["args"] as? [String: Any]
        let task = (arguments?["task"] as? Int).map { " \($0)" } ?? ""
        let scheduler = (arguments?["scheduler"] as? String).map { " on \($0)" } ?? ""
        return (event["name"] as? String ?? arguments?["then"] as? String ?? "") + task + scheduler
      }
    }
    #expect(
      named("B") == [
        "task 1 1 on executor", #"task 2 "fetch" 2 on executor"#, "task 3 3 on executor",
        #"task 2 "fetch" 2 on executor"#, "task 1 1 on executor",
      ])
    #expect(
      named("E") == [
        "waits for task 2", "waits for a continuation or sleeps", "waits for its group", "ended",
        "ended",
      ])
    #expect(named("i").contains(#"task 2 "fetch" created 2"#))
    #expect(named("i").contains("task 3 cancelled 3"))
    let made = events.compactMap { ($0["args"] as? [String: Any])?["made_by"] as? Int }
    #expect(made == [1])
  }

  @Test("K2: spans of OTLP are called after the tasks' names, and have their numbers")
  func spans() throws {
    let text = try export { OTLPExporter(words, header: rendered.reader.header, output: $0) }
    let spans = text.split(separator: "\n").filter { $0.contains(#""stringValue":"hopBegan""#) }
    #expect(spans.count == 5)
    #expect(spans.count { $0.contains(#""name":"fetch""#) } == 2)
    #expect(spans.count { $0.contains(#""name":"executor""#) } == 3)
    // Without their events.
    let heads = spans.compactMap { $0.components(separatedBy: #""events":["#).first }
    let numbered = heads.filter { $0.contains(#""varve.task","value":{"intValue":"2"}"#) }
    #expect(numbered.count == 2)
    #expect(numbered.contains { $0.contains(#""stringValue":"continuation""#) })
  }
}
