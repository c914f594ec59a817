import Dispatch
import Testing
import Varve
import VarveTestRig

@Suite("Docs/Backtraces.md") struct BacktracesExamples {
  @Test("Backtraces are captured, and printed by an observer")
  func printing() async {
    // The switch is the whole process's.
    await GateTurn.take { printBacktraces() }
  }

  private func printBacktraces() {
    let (query, input) = Signal<String, Never>.pipe()
    let background = QueueScheduler(name: "search")
    // example
    AsyncBacktrace.isCapturing = true
    query.observe(on: background).observeValues { _ in
      print(AsyncBacktrace.current)
    }
    // end
    input.send(value: "v")
    background.queue.sync {}
    AsyncBacktrace.isCapturing = false
  }
}
