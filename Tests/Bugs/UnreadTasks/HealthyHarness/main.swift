// Symptom: None. The tests of a small server: they listen before they start it, wait with a
// deadline, and leave nothing behind.
// Looks at: the tests ("test restart")

import Foundation

enum Event: Sendable, Equatable {
  case starting, ready
  case answered(String)
}

actor Server {
  private var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
  private var listened = 0
  private(set) var answers = 0

  func events() -> AsyncStream<Event> {
    let (events, listener) = AsyncStream.makeStream(of: Event.self)
    listened += 1
    let number = listened
    listeners[number] = listener
    listener.onTermination = { _ in
      Task(name: "unlisten") { await self.forget(number) }
    }
    return events
  }

  func start() async {
    tell(.starting)
    try? await Task.sleep(for: .milliseconds(20))
    tell(.ready)
  }

  func get(_ path: String) -> String {
    // The metrics know the test by its name, although they are not of its task.
    Task.detached(name: "metrics") { [test = Harness.test] in
      await Harness.$test.withValue(test) { await self.count(path) }
    }
    return "hello from \(path)"
  }

  var listenerCount: Int { listeners.count }

  private func count(_ path: String) {
    answers += 1
    tell(.answered("\(Harness.test): \(path)"))
  }

  private func forget(_ number: Int) { listeners[number] = nil }

  private func tell(_ event: Event) { listeners.values.forEach { $0.yield(event) } }
}

let server = Server()

let restart = Task(name: "test restart") {
  try await Harness.$test.withValue("restart") {
    let events = await server.events()
    async let ready = Harness.first(events) { $0 == .ready }
    await server.start()
    return try await ready
  }
}
print("restart:", try await restart.value)

let hello = Task(name: "test hello") {
  try await Harness.$test.withValue("hello") {
    let events = await server.events()
    let text = await server.get("/hello")
    let event = try await Harness.first(events) { if case .answered = $0 { true } else { false } }
    return (text, event)
  }
}
print("hello:", try await hello.value)

let silent = Task(name: "test silent") {
  let events = await server.events()
  return try await Harness.first(events) { $0 == .starting }
}
print("silent:", await silent.result)
try await Harness.eventually { await server.listenerCount == 0 }
print("nobody listens")
