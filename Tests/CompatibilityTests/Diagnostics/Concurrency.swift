// Streams beside Swift's own concurrency: the main actor, actors, tasks and sequences.

import Varve

@MainActor
final class Screen {
  var title = ""
  let name = MutableProperty("")
  var task: Task<Void, Never>?

  func show(_ texts: Signal<String, Never>, _ numbers: SignalProducer<Int, any Error>) {
    texts.observeValuesOnMain { self.title = $0 }
    name.producer.startWithValuesOnMain { [weak self] in self?.title = $0 }
    name <~ texts
    task = Task { for await text in texts.values(buffering: .unbounded) { self.title = text } }
    task = Task {
      do {
        for try await number in numbers.values(buffering: .unbounded) { self.title = "\(number)" }
      } catch { self.title = "\(error)" }
    }
    let prefix = title
    texts.map { prefix + $0 }.observeValues { print($0) }
  }
}

actor Cache {
  var entries: [String: Int] = [:]

  func load(_ key: String) async throws -> Int { entries[key] ?? 0 }
  func store(_ key: String) { entries[key] = 1 }
  func watch(_ keys: Signal<String, Never>) async {
    for await key in keys.values(buffering: .unbounded) { store(key) }
  }

  nonisolated func value(_ key: String) -> SignalProducer<Int, any Error> {
    SignalProducer { try await self.load(key) }
  }

  func observe(_ keys: Signal<String, Never>) {
    keys.observeValues { self.entries[$0] = 1 }  // 5: warning, 6: warning
  }
}

func wait(_ cache: Cache, _ signal: Signal<Int, Never>) async throws {
  _ = try await cache.value("a").first()
  let one = SignalProducer<Int, Never> {
    await Task.yield()
    return 1
  }
  async let first = one.first()
  async let last = one.take(last: 1).first()
  _ = await (first, last)
  let stream = SignalProducer(AsyncStream<Int> { $0.finish() })
  for await value in stream.values(buffering: .unbounded) { print(value) }
  let task = Task.detached {
    for await value in signal.values(buffering: .newest(1)) { print(value) }
  }
  task.cancel()
}

// What may not be shared may not go into a task either.

final class Counter { var count = 0 }

func share(_ all: Signal<Counter, Never>, _ counter: Counter) {
  Task.detached { for await one in all.values(buffering: .newest(1)) { print(one) } }  // 6: error
  _ = SignalProducer<Int, Never> {
    await Task.yield()
    return counter.count  // 6: warning
  }
}
