import Foundation
import ReactiveSwiftCompatibility
import Testing

// A layer over a network: timeouts, retries, a cache, search as one types.

private enum NetworkError: Error, Equatable {
  case timedOut
  case status(Int)
  case undecodable
}

private struct Response: Equatable {
  let status: Int
  let body: String
}

private final class Client {
  typealias Transport = (String) -> SignalProducer<Response, NetworkError>
  private let transport: Transport
  private let scheduler: DateScheduler
  private var cache: [String: SignalProducer<String, NetworkError>] = [:]
  let isLoading = MutableProperty(0)

  init(scheduler: DateScheduler, transport: @escaping Transport) {
    self.scheduler = scheduler
    self.transport = transport
  }

  func text(_ path: String) -> SignalProducer<String, NetworkError> {
    transport(path)
      .timeout(after: 5, raising: .timedOut, on: scheduler)
      .attemptMap { response -> Result<String, NetworkError> in
        response.status == 200 ? .success(response.body) : .failure(.status(response.status))
      }
      .retry(upTo: 2, interval: 1, on: scheduler)
      .on(
        started: { [isLoading] in isLoading.modify { $0 += 1 } },
        terminated: { [isLoading] in isLoading.modify { $0 -= 1 } })
  }

  func cached(_ path: String) -> SignalProducer<String, NetworkError> {
    if let known = cache[path] { return known }
    let new = text(path).replayLazily(upTo: 1)
    cache[path] = new
    return new
  }

  func numbers(_ path: String) -> SignalProducer<[Int], NetworkError> {
    cached(path)
      .attempt { $0.isEmpty ? .failure(.undecodable) : .success(()) }
      .map { $0.split(separator: ",").compactMap { Int($0) } }
  }
}

@Suite struct NetworkLayers {
  @Test("P1: a request is retried after a while, and gives up")
  func retries() {
    let scheduler = TestScheduler()
    var attempts = 0
    let client = Client(scheduler: scheduler) { _ in
      SignalProducer { observer, _ in
        attempts += 1
        observer.send(value: Response(status: attempts < 3 ? 500 : 200, body: "1,2"))
        observer.sendCompleted()
      }
    }
    var results: [Result<[Int], NetworkError>] = []
    client.numbers("/n").startWithResult { results.append($0) }
    #expect(attempts == 1)
    #expect(client.isLoading.value == 1)
    scheduler.advance(by: .seconds(1))
    #expect(attempts == 2)
    scheduler.advance(by: .seconds(1))
    #expect(results == [.success([1, 2])])
    #expect(client.isLoading.value == 0)
    client.numbers("/n").startWithResult { results.append($0) }
    #expect(attempts == 3)
    #expect(results.count == 2)
  }

  @Test("P1: a request that takes too long fails, and is disposed of")
  func timeouts() {
    let scheduler = TestScheduler()
    var cancelled = 0
    let client = Client(scheduler: scheduler) { _ in
      SignalProducer { observer, lifetime in
        lifetime.observeEnded {
          // Whoever lets go of the observer ends the request.
          _ = observer
          cancelled += 1
        }
      }
    }
    var errors: [NetworkError] = []
    client.text("/slow").startWithFailed { errors.append($0) }
    scheduler.advance(by: .seconds(4))
    #expect(cancelled == 0)
    scheduler.advance(by: .seconds(20))
    #expect(errors == [.timedOut])
    #expect(cancelled == 3)
  }

  @Test("P1: a search sends the latest text once the user pauses, and drops stale answers")
  func search() {
    let scheduler = TestScheduler()
    let (typed, keyboard) = Signal<String, Never>.pipe()
    var asked: [String] = []
    let client = Client(scheduler: scheduler) { path in
      asked.append(path)
      return SignalProducer(value: Response(status: 200, body: "found \(path)"))
        .delay(path.count < 3 ? 3 : 1, on: scheduler)
    }
    let results =
      typed
      .skipRepeats()
      .debounce(0.3, on: scheduler)
      .filter { $0.count > 1 }
      .flatMap(.latest) { text in
        client.text(text)
          .map { Optional($0) }
          .flatMapError { _ in SignalProducer<String?, Never>(value: nil) }
      }
      .skipNil()
    let latest = Property(initial: "nothing", then: results)
    var shown: [String] = []
    latest.producer.startWithValues { shown.append($0) }
    for text in ["s", "sw"] {
      keyboard.send(value: text)
      scheduler.advance(by: .milliseconds(100))
    }
    scheduler.advance(by: .seconds(1))
    keyboard.send(value: "swift")
    scheduler.advance(by: .seconds(5))
    #expect(asked == ["sw", "swift"])
    #expect(shown == ["nothing", "found swift"])
  }

  @Test("P1: pages are fetched one after the other until there are no more")
  func pages() {
    let client = Client(scheduler: QueueScheduler(name: "net")) { path in
      SignalProducer(value: Response(status: 200, body: path < "/3" ? "next" : "end"))
    }
    func page(_ number: Int) -> SignalProducer<Int, NetworkError> {
      client.text("/\(number)").flatMap(.concat) { body -> SignalProducer<Int, NetworkError> in
        let this = SignalProducer<Int, NetworkError>(value: number)
        return body == "end" ? this : this.concat(page(number + 1))
      }
    }
    #expect(page(1).collect().single() == .success([1, 2, 3]))
  }
}
