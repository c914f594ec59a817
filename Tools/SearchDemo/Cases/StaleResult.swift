import Dispatch
import Varve

/// Search as you type, against a server that answers short queries slowly. Type "la", then "lake":
/// now and then the screen shows what was found for "la".
struct StaleResult {
  private let server = QueueScheduler(name: "server")

  func run() {
    let done = DispatchSemaphore(value: 0)
    let (queries, input) = Signal<String, Never>.pipe(named: "query")
    let screen = MutableProperty("", named: "screen")
    let results = queries.flatMap(.merge) { search($0) }.named("results")  // culprit
    screen <~ results
    results.observeCompleted { done.signal() }
    input.send(value: "la")
    input.send(value: "lake")
    input.sendCompleted()
    done.wait()
    print("the query is lake; the screen shows: \(screen.value)")
  }

  /// Asks the server. The fewer letters, the more it finds, and the longer it takes.
  private func search(_ query: String) -> SignalProducer<String, Never> {
    SignalProducer { observer, lifetime in
      lifetime += server.schedule(after: .milliseconds(query.count > 2 ? 20 : 90)) {
        observer.send(value: "\(query.count > 2 ? 1 : 4) lines with \(query)")
        observer.sendCompleted()
      }
    }.named("search")
  }
}
