import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("What is damaged, and what was checked")
struct DamageReportTests {
  private let folder = TemporaryFolder()
  private let whole: String
  private let flipped: String

  /// Values over ten seconds, in blocks of ten; a byte of the block in the middle is wrong.
  init() throws {
    whole = folder.file("whole.varve")
    flipped = folder.file("flipped.varve")
    var script = TraceScript()
    let ticks = script.stream("ticks", type: "Int")
    for index in 0..<100 {
      script.record(.value, of: ticks, .integer(Int64(index)), at: Double(index) * 100)
    }
    try script.write(to: whole, blockEvents: 10)
    let block = try TraceReader(path: whole).blocks[5]
    var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    let last = try #require(block.offset) + block.storedBytes - 1
    bytes[Int(last)] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: flipped))
  }

  private func summary(_ trace: String, _ flags: String...) throws -> (object: [String: Any], Int32)
  {
    let run = try CommandRun(["info", trace, "--format", "json"] + flags)
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return (try #require(object as? [String: Any]), run.status)
  }

  @Test("F7: other programs are given what damage has lost, in every format")
  func exports() throws {
    let run = try CommandRun(["replay", flipped, "--format", "ndjson", "-q"])
    let lost = run.output.split(separator: "\n").filter { $0.contains(#""kind":"lost""#) }
    #expect(lost.count == 1 && lost[0].contains(#""reason":"damaged","count":10,"#), "\(lost)")
    for format in ["csv", "sql", "chrome", "otlp"] {
      let run = try CommandRun(["export", flipped, "--format", format, "-q"])
      #expect(run.status == 4)
      #expect(
        run.output.contains(format == "csv" || format == "sql" ? "damaged" : "10 events lost"))
    }
    // Whoever goes on with what was repaired knows, too.
    let repaired = folder.file("repaired.varve")
    #expect(try CommandRun(["repair", flipped, "-o", repaired, "-q"]).status == 4)
    let told = try CommandRun(["info", repaired]).output
    #expect(told.contains("10 events of thread 1 (main) in damaged parts of the file"), "\(told)")
    #expect(told.contains("events are missing: what is said not to have happened may have"))
  }

  @Test("F6: info counts the damaged blocks that it looked for, and ends with 4")
  func info() throws {
    let intact = try summary(whole)
    #expect(intact.object["damaged_blocks"] as? Int == 0 && intact.1 == 0)
    #expect(intact.object["blocks_checked"] as? Bool == true)
    let damaged = try summary(flipped)
    #expect(damaged.object["damaged_blocks"] as? Int == 1 && damaged.1 == 4)
    let text = try CommandRun(["info", flipped])
    #expect(text.status == 4)
    #expect(text.output.contains("blocks    checked: 1 place damaged\n"))
    #expect(text.output.contains("damaged at byte ") && text.errors.isEmpty)
    #expect(try CommandRun(["info", whole]).output.contains("checked: all as they were written\n"))
  }

  @Test(
    "F6: a verb that reads damaged blocks says it once, and ends with 4",
    arguments: [
      ["streams"], ["streams", "--tree"], ["streams", "--open"], ["timeline"], ["replay"],
      ["timeline", "--format", "html"], ["why-silent", "ticks"], ["why", "ticks"],
    ])
  func verbs(words: [String]) throws {
    let run = try CommandRun(
      [words[0], flipped] + words.dropFirst().map { $0 == "ticks" ? "ticks" : $0 })
    #expect(run.status == 4, "\(run.errors)")
    let told = run.errors.split(separator: "\n").filter { $0.contains("damaged at byte") }
    #expect(told.count == 1, "\(run.errors)")
    let intact = try CommandRun([words[0], whole] + words.dropFirst())
    #expect([0, 1].contains(intact.status) && !intact.errors.contains("passed over"))
  }

  @Test("F6: postmortem says on its page what is damaged")
  func postmortem() throws {
    let run = try CommandRun(["postmortem", flipped])
    #expect(run.status == 4)
    #expect(run.output.contains("blocks    checked: 1 place damaged\n"))
    let lines = try CommandRun(["postmortem", flipped, "--format", "ndjson"])
    #expect(lines.status == 4 && lines.output.contains("\"damaged_blocks\":1"))
  }

  @Test("F6: a timeline marks the time of a damaged block, also where no header is left")
  func marks() throws {
    let picture = try CommandRun(["timeline", flipped, "--width", "60"])
    let row = picture.output.split(separator: "\n").first { $0.hasPrefix("(lost)") }
    // The sixth of ten blocks: half way along the axis.
    let marks = try #require(row).enumerated().filter { $1 == "?" }.map(\.offset)
    #expect(marks.count >= 4 && marks.count <= 8 && marks.allSatisfy { (30...42).contains($0) })
    #expect(picture.output.contains("? events are missing"))
    #expect(!(try CommandRun(["timeline", whole]).output.contains("?")))

    // A file without an index, and without the header of that block.
    var script = TraceScript()
    let ticks = script.stream("ticks", type: "Int")
    for index in 0..<100 {
      script.record(.value, of: ticks, .integer(Int64(index)), at: Double(index) * 100)
    }
    let path = folder.file("headless.varve")
    try script.write(to: path, blockEvents: 10, ending: nil)
    let offset = try #require(try TraceReader(path: path).blocks[5].offset)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[Int(offset) + 6] ^= 0x55
    try bytes.write(to: URL(fileURLWithPath: path))
    let headless = try CommandRun(["timeline", path, "--width", "60"])
    #expect(headless.status == 4 && headless.output.contains("?????"), "\(headless.output)")
    let around = try CommandRun(["timeline", path, "--width", "60", "--until", "3s"])
    #expect(!around.output.contains("?"))
  }
}
