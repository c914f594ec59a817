// What tasks cost, recorded and unrecorded. The program does not use Varve: it is run twice, as it is
// and under `varve run`, best on one processor.
//
//     swift build -c release --package-path Tools/Benchmarks --product TaskBench
//     taskset -c 1 Tools/Benchmarks/.build/release/TaskBench
//     taskset -c 1 varve run -q -o /tmp/tasks.varve --force -- Tools/Benchmarks/.build/release/TaskBench
//
// The figures are the best of many rounds, in nanoseconds for one operation: other programs, and the
// thread that writes the trace, only make rounds longer.

@main
struct TaskBench {
  static let operations = 2_000
  static let rounds = 200

  static func main() async {
    await Task.detached { await measureAll() }.value
  }

  static func measure(_ name: String, _ operation: () async -> Void) async {
    var best = Duration.seconds(1_000)
    for _ in 0..<rounds {
      best = min(best, await ContinuousClock().measure { await operation() })
    }
    let tenths = Int(best / .nanoseconds(1)) * 10 / operations
    let text = "\(tenths)"
    let padded = String(repeating: "0", count: max(0, 2 - text.count)) + text
    print("\(name.padded(to: 44))\(padded.dropLast()).\(padded.suffix(1))")
  }

  static func measureAll() async {
    await measure("create a task and await its value") {
      for number in 0..<operations { _ = await Task { number }.value }
    }
    await measure("async let") {
      for _ in 0..<operations {
        async let one = number()
        _ = await one
      }
    }
    await measure("child of a group") {
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<operations {
          group.addTask { number }
          _ = await group.next()
        }
      }
    }
    await measure("yield") {
      for _ in 0..<operations { await Task.yield() }
    }
    await measure("continuation resumed before it is awaited") {
      for _ in 0..<operations {
        _ = await withCheckedContinuation { $0.resume(returning: 1) }
      }
    }
    let counter = Counter()
    await measure("call of an actor that does not suspend") {
      for _ in 0..<operations { await counter.count() }
    }
    await measureResumptions()
  }

  /// Two tasks that resume each other in turn.
  static func measureResumptions() async {
    let (questions, asking) = AsyncStream<Int>.makeStream()
    let (answers, answering) = AsyncStream<Int>.makeStream()
    let other = Task {
      for await question in questions { answering.yield(question) }
    }
    var iterator = answers.makeAsyncIterator()
    await measure("two suspensions and resumptions") {
      for number in 0..<operations {
        asking.yield(number)
        _ = await iterator.next()
      }
    }
    asking.finish()
    await other.value
  }

  @inline(never)
  static func number() async -> Int { 1 }
}

actor Counter {
  private var sum = 0
  func count() { sum += 1 }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
