import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Actions that nobody starts any more, because they seem to run.
@Suite("Findings about runs that never end")
struct EndlessRunTests {
  /// An action whose run merges its work, which may have completed, with a property; code then looks so
  /// many times whether the action runs.
  private func printing(
    looks: Int, isDone: Bool = true, merges: Bool = true, endsRun: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let action = script.stream("print", "action", traits: .hot)
    let executing = script.stream(
      "print.isExecuting", "isExecuting", from: [action], traits: [.hot, .replays])
    let apply = script.stream("print.apply", "apply", from: [action], traits: .hasEffects)
    let paper = script.stream("paper", "pipe")
    let told = script.stream("told", "producer", from: [paper], traits: .standsIn)
    let work = script.stream("work", "producer")
    let both = script.stream("both", "merge(with:)", from: [work, told], traits: .joins)
    _ = script.subscribe(executing, at: 0)
    script.record(.value, of: executing, .boolean(true), at: 1)
    let run = script.subscribe(apply, at: 1)
    let outer = script.subscribe(merges ? both : work, at: 2)
    let inner = merges ? script.subscribe(work, to: both, at: 2) : outer
    if merges { _ = script.subscribe(told, to: both, at: 2) }
    script.value(work, "printed", at: 3, subscription: inner)
    if isDone {
      script.record(.completed, of: work, at: 4, subscription: inner)
      script.end(inner, of: work, .completed, at: 4)
    }
    if endsRun {
      if merges { script.end(outer, of: both, .completed, at: 5) }
      script.end(run, of: apply, .completed, at: 5)
      script.record(.value, of: executing, .boolean(false), at: 5)
    }
    for look in 0..<looks { script.record(.read, of: executing, at: 100 + Double(look) * 100) }
    return try script.findings().filter { $0.kind == .stuck }
  }

  @Test("G1: an action that is found running again and again names the merge that goes on")
  func foundRunning() throws {
    let found = try printing(looks: 2)
    #expect(found.count == 1)
    #expect(found.first?.place == .stream(7) && found.first?.stream == 1)
  }

  @Test("G1: a run whose work goes on, or that has ended, or that code saw once, is no problem")
  func harmless() throws {
    #expect(try printing(looks: 1).isEmpty)
    #expect(try printing(looks: 3, isDone: false).isEmpty)
    #expect(try printing(looks: 3, merges: false).isEmpty)
    #expect(try printing(looks: 3, endsRun: true).isEmpty)
  }
}
