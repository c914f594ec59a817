import Dispatch
import Varve

/// Keys, and a cursor that ought to follow at once. Both are handled by one queue, and what each key
/// has to wait for is the layout.
struct SlowScheduler {
  private let interface = QueueScheduler(name: "interface")

  func run() {
    let done = DispatchSemaphore(value: 0)
    let (keys, input) = Signal<Int, Never>.pipe(named: "keys")
    let typed = keys.observe(on: interface).named("typed")
    typed.map { layOut($0) }.named("layout").observeValues { _ in }  // culprit
    let cursor = keys.observe(on: interface).named("cursor")
    cursor.observeCompleted { done.signal() }
    for key in 1...60 { input.send(value: key) }
    input.sendCompleted()
    done.wait()
    print("the cursor has arrived")
  }

  /// Breaks lines. It takes longer than anybody thought.
  private func layOut(_ key: Int) -> Int {
    let end = DispatchTime.now() + .milliseconds(6)
    var width = key
    while DispatchTime.now() < end { width = width &* 31 &+ 7 }
    return width
  }
}
