// Symptom: none. A boat that does not answer costs its captain the place, after a pause; the
// harbour's clock stops when it is told to; the weather is not worth an error.
// Looks at: the answer of a boat ("call")

import Foundation

/// Answers once: with what the boat says, or with nil when the time is up.
// Safety: the lock guards the continuation.
final class Answer: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<String?, Never>?

  init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = continuation }

  func give(_ text: String?) {
    lock.lock()
    let waiting = continuation
    continuation = nil
    lock.unlock()
    waiting?.resume(returning: text)
  }
}

struct Radio: Sendable {
  private let queue = DispatchQueue(label: "radio", attributes: .concurrent)

  func call(_ boat: String) async -> String? {
    await withCheckedContinuation { continuation in
      let answer = Answer(continuation)
      queue.asyncAfter(deadline: .now() + 0.08) { answer.give(nil) }
      if boat != "Seute Deern" {
        queue.asyncAfter(deadline: .now() + 0.02) { answer.give("\(boat) is coming") }
      }
    }
  }

  func weather() async throws -> String {
    throw URLError(.notConnectedToInternet)
  }
}

@MainActor
final class HarbourMaster {
  private(set) var minutes = 0
  private let radio = Radio()
  private var clock: Task<Void, Never>?

  func open() {
    clock = Task(name: "clock") {
      while !Task.isCancelled {
        minutes += 1
        do { try await Task.sleep(for: .milliseconds(30)) } catch { return }
      }
    }
  }

  func call(_ boats: [String]) async -> [String] {
    let weather = (try? await radio.weather()) ?? "look out of the window"
    let calls = boats.map { boat in Task(name: "call") { await radio.call(boat) } }
    var lines = [weather]
    for call in calls { lines.append(await call.value ?? "place is free") }
    return lines
  }

  func close() async {
    clock?.cancel()
    await clock?.value
  }
}

let master = HarbourMaster()
master.open()
print(await master.call(["Anna", "Seute Deern", "Möwe"]).joined(separator: "\n"))
await master.close()
print("closed after \(master.minutes > 0 ? "some" : "no") minutes")
