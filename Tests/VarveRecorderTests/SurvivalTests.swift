import Testing
import VarveFormat
import VarvePlatform

/// Programs whose own handler of faults leaves by a jump, with crash handling on: what looks like
/// their end is none.
@Suite struct SurvivalTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }
  private static let options = "policy=block,crashes=yes"

  private func survive(_ how: String) -> Child.End {
    Child.run("survive", [path, "40000", Self.options, how])
  }

  @Test("T5: a fault from which a handler jumped away is no crash once the thread records on")
  func recordsOn() throws {
    #expect(survive("leave").status == 0)
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .killed)
    #expect(trace.integers(of: 1).elementsEqual(1...40_000))
  }

  @Test("T5: a program that survived a fault ends cleanly")
  func endsCleanly() throws {
    #expect(survive("exit").status == 0)
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    #expect(trace.integers(of: 1).elementsEqual(1...40_000))
  }

  @Test(
    "T5: of a crash that was survived and one that was not, the second is told",
    arguments: ["abort", "at once"])
  func secondIsTold(how: String) throws {
    #expect(survive(how).signal == SIGABRT)
    let trace = try RecordedTrace(path)
    guard case .crashed(SIGABRT, let ring, let place) = trace.ending else {
      Issue.record("ended \(trace.ending)")
      return
    }
    #expect(ring == trace.ring(of: 1))
    #expect(place != nil)
  }

  @Test(
    "T5: a program that lives looks crashed for no longer than a moment, whatever its thread does",
    arguments: ["records,sleeps", "sleeps", "records,ends", "ends"])
  func outlives(who: String) throws {
    let go = folder.file("go")
    let child = Child("outlive", [path, "1000", Self.options, go, who])
    try child.wait(for: "the fault") { access(go + "-survived", F_OK) == 0 }
    try child.wait(for: "the mark to go") {
      guard let trace = try? RecordedTrace(path) else { return false }
      return trace.integers(of: 1).count == 1_000 && trace.ending == .running
    }
    Folder.write([1], to: go)
    #expect(child.wait().signal == SIGABRT)
    let trace = try RecordedTrace(path)
    guard case .crashed(SIGABRT, let ring, _) = trace.ending else {
      Issue.record("ended \(trace.ending)")
      return
    }
    #expect(ring == trace.ring(of: 1))
  }

  @Test("T5: a program whose handler takes its time until it dies has crashed all the while")
  func lingers() throws {
    let child = Child("linger", [path, "1", Self.options, "3000"])
    let end = child.wait()
    #expect(end.signal == SIGSEGV, "\(end)")
    let trace = try RecordedTrace(path)
    guard case .crashed(SIGSEGV, let ring, _) = trace.ending else {
      Issue.record("ended \(trace.ending)")
      return
    }
    #expect(ring == trace.ring(of: 2))
  }
}
