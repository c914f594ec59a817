import Dispatch
import Testing
import VarveReactive
import VarveTestRig

@Suite("Observing on the main actor") struct ObserveOnMainTests {
  @MainActor private final class Screen {
    var lines: [String] = []
  }

  @MainActor
  @Test("H2: what is sent on the main thread is there when the send returns")
  func atOnce() {
    let screen = Screen()
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.observeOnMain { @MainActor event in screen.lines.append("\(event)") }
    signal.observeValuesOnMain { @MainActor value in screen.lines.append("\(value)") }
    input.send(value: 1)
    #expect(screen.lines == ["VALUE 1", "1"])
  }

  @MainActor
  @Test("H11: what is sent elsewhere comes on the main thread, in order")
  func fromElsewhere() async {
    let screen = Screen()
    let producer = SignalProducer<Int, Never>(0..<100)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        producer.startObservingOnMain { @MainActor event in
          screen.lines.append("\(event)")
          if event.isTerminating { continuation.resume() }
        }
      }
    }
    #expect(screen.lines == (0..<100).map { "VALUE \($0)" } + ["COMPLETED"])
  }

  @MainActor
  @Test("P4: the interruption of a start that is disposed of elsewhere comes on the main thread")
  func disposalElsewhere() async {
    let screen = Screen()
    await withCheckedContinuation { continuation in
      let disposable = SignalProducer<Int, Never>.never.startObservingOnMain { @MainActor event in
        screen.lines.append("\(event)")
        continuation.resume()
      }
      DispatchQueue.global().async { disposable.dispose() }
    }
    #expect(screen.lines == ["INTERRUPTED"])
  }

  @MainActor
  @Test("S7: after disposal on the main thread nothing comes, whatever was sent before")
  func disposal() async {
    let screen = Screen()
    let (signal, input) = Signal<Int, Never>.pipe()
    let disposable = signal.observeValuesOnMain { @MainActor in screen.lines.append("\($0)") }
    onThreads(1) { _ in input.send(value: 1) }
    disposable?.dispose()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(screen.lines == [])
  }

  @MainActor
  @Test("values of a producer come on the main thread")
  func values() {
    let screen = Screen()
    SignalProducer<Int, Never>([1, 2])
      .startWithValuesOnMain { @MainActor value in screen.lines.append("\(value)") }
    #expect(screen.lines == ["1", "2"])
  }
}
