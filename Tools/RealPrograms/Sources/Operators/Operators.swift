import AsyncAlgorithms

/// Counts up to a number, with a pause before each element if there is one.
func numbers(_ count: Int, every pause: Duration? = nil) -> AsyncStream<Int> {
  AsyncStream { continuation in
    let task = Task(name: "numbers") {
      for number in 1...count {
        if let pause { try? await Task.sleep(for: pause) }
        continuation.yield(number)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
  }
}

@main
struct Operators {
  static func main() async { await all() }

  static func all() async {
    print("merge", await merge(numbers(200), numbers(300)).reduce(0, +))
    print("zip", await zip(numbers(100), numbers(150)).reduce(0) { $0 + $1.0 * $1.1 })
    await combined()
    await debounced()
    await throttled()
    await channel()
    print("buffer", await numbers(500).buffer(policy: .bounded(8)).reduce(0, +))
    print("chunks", await numbers(100).chunks(ofCount: 7).reduce(0) { $0 + $1.count })
    print("chain", await chain(numbers(50), numbers(50)).reduce(0, +))
  }

  static func combined() async {
    var last = (0, 0)
    for await pair in combineLatest(numbers(40, every: .milliseconds(1)), numbers(30)) {
      last = pair
    }
    print("combineLatest", last)
  }

  /// Three bursts: each is one element after it.
  static func debounced() async {
    let (keys, typed) = AsyncStream.makeStream(of: Int.self)
    let typing = Task(name: "typing") {
      for burst in 1...3 {
        for key in 1...5 { typed.yield(burst * 10 + key) }
        try? await Task.sleep(for: .milliseconds(300))
      }
      typed.finish()
    }
    var words: [Int] = []
    for await word in keys.debounce(for: .milliseconds(50)) { words.append(word) }
    await typing.value
    print("debounce", words)
  }

  static func throttled() async {
    var last = 0
    for await number in numbers(60, every: .milliseconds(1))._throttle(for: .milliseconds(10)) {
      last = max(last, number)
    }
    print("throttle", last > 0)
  }

  /// Several senders, each waits until its element has been received.
  static func channel() async {
    let channel = AsyncChannel<Int>()
    let sending = Task(name: "sending") {
      await withTaskGroup { group in
        for sender in 1...5 {
          group.addTask(name: "sender \(sender)") {
            for element in 1...40 { await channel.send(sender * element) }
          }
        }
      }
      channel.finish()
    }
    print("channel", await channel.reduce(0, +))
    await sending.value
  }
}
