import Testing
import VarveReactive
import VarveTestRig

@Suite("lazyMap(on:transform:)") struct LazyMapTests {
  private let transformed = Box<[Int]>([])

  private func rig(_ kind: StreamKind) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let (scheduler, transformed) = (rig.scheduler, transformed)
    let double: @Sendable (Int) -> Int = {
      transformed.append($0)
      return $0 * 2
    }
    let disposable = rig.watch(
      kind, { $0.lazyMap(on: scheduler, transform: double) },
      { $0.lazyMap(on: scheduler, transform: double) })
    return (rig, disposable)
  }

  @Test("only the latest value is transformed, on the scheduler", arguments: StreamKind.allCases)
  func latest(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, 2, 3, at: 0)
    #expect(transformed.value == [])
    rig.advance(to: 1)
    rig.send(4, at: 2)
    rig.advance(to: 3)
    #expect(rig.log.value == ["0 VALUE 6", "2 VALUE 8"])
    #expect(transformed.value == [3, 4])
  }

  @Test("completion and failure come after the value that waits", arguments: StreamKind.allCases)
  func completion(kind: StreamKind) {
    let (completing, _) = rig(kind)
    completing.send(1, at: 0)
    completing.input.sendCompleted()
    #expect(completing.log.value == [])
    completing.scheduler.advance()
    #expect(completing.log.value == ["0 VALUE 2", "0 COMPLETED"])
    let (failing, _) = rig(kind)
    failing.send(1, at: 0)
    failing.input.send(error: Problem())
    failing.scheduler.advance()
    #expect(failing.log.value == ["0 VALUE 2", "0 FAILED problem"])
  }

  @Test("E5: interruption drops the value that waits", arguments: StreamKind.allCases)
  func interruption(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.input.sendInterrupted()
    rig.scheduler.advance()
    #expect(rig.log.value == ["0 INTERRUPTED"])
    #expect(transformed.value == [])
  }

  @Test("H3: a value that waits is not transformed after disposal", arguments: StreamKind.allCases)
  func disposal(kind: StreamKind) {
    let (rig, disposable) = rig(kind)
    rig.send(1, at: 0)
    disposable?.dispose()
    rig.advance(to: 10)
    #expect(rig.log.value == (kind == .producer ? ["0 INTERRUPTED"] : []))
    #expect(transformed.value == [])
  }

  @Test("the last value is never lost, however the threads interleave")
  func race() {
    let queue = QueueScheduler(name: "lazy")
    for _ in 0..<200 {
      let (signal, input) = Signal<Int, Never>.pipe()
      let received = Box<[Int]>([])
      signal.lazyMap(on: queue) { $0 }.observeValues { received.append($0) }
      onThreads(1) { _ in
        for value in 0..<100 { input.send(value: value) }
        input.sendCompleted()
      }
      queue.queue.sync {}
      #expect(received.value.last == 99)
      #expect(received.value == received.value.sorted())
    }
  }
}
