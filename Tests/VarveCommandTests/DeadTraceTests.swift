import Foundation
import Testing
import VarveFormat
import VarveTraceScript

@Suite("The trace of a program that died, with its sidecar and without")
struct DeadTraceTests {
  private let folder = TemporaryFolder()
  private let trace: String
  private let live: String

  init() throws {
    trace = folder.file("run.varve")
    live = folder.file("run.varve-live")
    let child = try CommandRun(["leave", trace, "1000", ""], program: "RecorderChild")
    try #require(child.status == 0)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("T5: what lies in the sidecar is counted apart, and repair is hinted at")
  func beside() throws {
    let info = try CommandRun(["info", trace])
    #expect(info.status == 0)
    #expect(
      info.output.contains("events    1,000, of which 1,000 lie in the sidecar; in the file: "))
    #expect(info.output.contains("sidecar   \(live), "))
    #expect(info.output.contains("varve repair \(trace) -o whole.varve\n"))
    let json = try object(CommandRun(["info", trace, "--format", "json"]).output)
    #expect(json["sidecar_events"] as? Int == 1_000 && json["lacks_sidecar"] as? Bool == false)
    let verify = try CommandRun(["verify", trace])
    #expect(verify.status == 0 && verify.errors.isEmpty)
    #expect(verify.output.hasPrefix("intact: 1,000 events, 1,000 of them in the sidecar in "))
  }

  @Test("T5: a trace that was copied without its sidecar is not taken for whole")
  func alone() throws {
    let elsewhere = TemporaryFolder()
    let copy = elsewhere.file("copy.varve")
    try FileManager.default.copyItem(atPath: trace, toPath: copy)
    let missing = "its last events may be in its sidecar, FILE-live, which is missing"
    let info = try CommandRun(["info", copy])
    #expect(info.status == 0)
    #expect(info.output.contains(missing))
    #expect(try CommandRun(["replay", copy]).errors.contains(missing))
    let json = try object(CommandRun(["info", copy, "--format", "json", "-q"]).output)
    #expect(json["lacks_sidecar"] as? Bool == true)
    let verify = try CommandRun(["verify", copy])
    #expect(verify.status == 4)
    #expect(verify.output.hasPrefix("incomplete: ") && !verify.output.contains("intact"))
    #expect(verify.errors.contains(missing))
    let checked = try CommandRun(["verify", copy, "--format", "json", "-q"])
    #expect(checked.status == 4 && checked.output.isEmpty)
    let result = try object(CommandRun(["verify", copy, "--format", "json"]).output)
    #expect(result["intact"] as? Bool == false && result["lacks_sidecar"] as? Bool == true)
    let repair = try CommandRun(["repair", copy, "-o", elsewhere.file("whole.varve")])
    #expect(repair.errors.contains(missing))
  }

  @Test("T5: repaired in its own place, a trace is one file")
  func inPlace() throws {
    let before = try CommandRun(["replay", trace, "--format", "ndjson"]).output
    let repair = try CommandRun(["repair", trace, "-o", trace, "--force"])
    #expect(repair.status == 0, "\(repair.errors)")
    #expect(repair.errors.contains("1000 of them from the sidecar"))
    #expect(repair.errors.contains("the sidecar is part of it now and was removed"))
    #expect(folder.names == ["run.varve"])
    #expect(try CommandRun(["replay", trace, "--format", "ndjson"]).output == before)
    #expect(try CommandRun(["verify", trace]).output.hasPrefix("intact: 1,000 events in "))
  }
}
