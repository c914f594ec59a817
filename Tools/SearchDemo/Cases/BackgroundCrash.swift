import Dispatch
import Varve

/// Orders that are read, checked, priced and stored, each step on a queue of its own. The last one
/// traps on a quantity that the first one should not have let through.
struct BackgroundCrash {
  private let queues = ["reader", "checker", "pricer", "store"].map { QueueScheduler(name: $0) }

  func run() {
    let (lines, input) = Signal<String, Never>.pipe(named: "lines")
    let quantities = lines.map { Int($0) ?? 0 }.named("quantities")  // culprit
    let stored = queues.dropLast().reduce(quantities) { $0.observe(on: $1) }
      .observe(on: queues[3]).named("stored")
    stored.observeValues { quantity in
      // A share of nothing: the trap.
      print("each of \(quantity) costs \(1_200 / quantity)")
    }
    for line in ["12", "3", "l0"] { input.send(value: line) }
    queues[3].queue.sync {}
    DispatchSemaphore(value: 0).wait()
  }
}
