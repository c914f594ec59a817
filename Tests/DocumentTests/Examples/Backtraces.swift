import Dispatch
import Testing
import Varve

@Suite("Docs/Backtraces.md") struct BacktracesExamples {
  @Test("Backtraces are captured, and printed by an observer")
  func printing() {
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
