import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Observations that are not kept")
struct UnkeptObservationTests {
  /// An observation that `launch()` begins, through `watch()`, and that ends as some code releases what
  /// kept it, or disposes of it.
  private func observation(
    through ending: String = "ScopedDisposable.deinit", in function: String = "launch()",
    after milliseconds: Double = 1, isReplaced: Bool = false, reason: EndReason = .disposed
  ) throws -> [Finding] {
    var script = TraceScript()
    script.module(1, "/usr/lib/libVarve.so", 0x5000..<0x6000)
    script.code(0x2100, "watch()", line: 40)
    script.code(0x2200, "launch()", line: 55)
    script.code(
      0x5100, ending, line: 7, of: "/src/Varve/Sources/VarveReactive/Lifetimes/Scoped.swift")
    script.code(0x2300, function, line: 58)
    script.stack(1, [0x2100, 0x2200])
    script.stack(2, [0x5100, 0x2300])
    let degrees = script.stream("degrees")
    let edge = script.subscribe(degrees, at: 1, by: 1)
    if isReplaced { _ = script.subscribe(degrees, at: 1.5, by: 1) }
    script.record(
      .ended, of: degrees, .reason(reason.rawValue, stack: 2),
      at: 1 + milliseconds, subscription: edge)
    return try script.findings().filter { $0.kind == .partial }
  }

  @Test(
    "G1: an observation that ends as its function lets go of what keeps it is told where it began")
  func unkept() throws {
    let found = try observation()
    #expect(found.count == 1)
    guard case .line(let place) = found.first?.place else {
      Issue.record("another place is marked: \(String(describing: found.first?.place))")
      return
    }
    #expect(place.line == 55)
  }

  @Test("G2: what is disposed of, replaced, kept for a while, or released elsewhere, is not told")
  func kept() throws {
    #expect(try observation(through: "AnyDisposable.dispose()").isEmpty)
    #expect(try observation(in: "close()").isEmpty)
    #expect(try observation(after: 500).isEmpty)
    #expect(try observation(isReplaced: true).isEmpty)
    #expect(try observation(reason: .completed).isEmpty)
  }
}
