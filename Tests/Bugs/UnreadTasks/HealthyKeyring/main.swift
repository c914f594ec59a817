// Symptom: None; the lock answers or fails, the bar of the download shows the newest number and its end.
// Looks at: the update of a lock ("update")

import Foundation

enum LockError: Error {
  case outOfReach
}

/// The maker's library calls back.
final class LockRadio: Sendable {
  private let queue = DispatchQueue(label: "radio")

  func unlock(_ door: String, done: @escaping @Sendable (Result<Int, LockError>) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.01) {
      done(door == "cellar" ? .failure(.outOfReach) : .success(door.utf8.count))
    }
  }

  func update(_ progress: @escaping @Sendable (Int) -> Void, end: @escaping @Sendable () -> Void) {
    for step in 1...50 {
      queue.asyncAfter(deadline: .now() + 0.004 * Double(step)) { progress(step * 2) }
    }
    queue.asyncAfter(deadline: .now() + 0.22) { end() }
  }
}

struct Keyring: Sendable {
  let radio = LockRadio()

  func unlock(_ door: String) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      radio.unlock(door) { continuation.resume(with: $0) }
    }
  }

  /// In per cent. Only the newest number is of interest.
  func update() -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      radio.update {
        continuation.yield($0)
      } end: {
        continuation.finish()
      }
    }
  }
}

@MainActor
final class ProgressBar {
  private(set) var percent = 0
  private(set) var redraws = 0

  func draw(_ percent: Int) async {
    try? await Task.sleep(for: .milliseconds(10))
    self.percent = percent
    redraws += 1
  }
}

let keyring = Keyring()
for door in ["front door", "cellar", "garage"] {
  let unlocking = Task(name: "unlock") { try await keyring.unlock(door) }
  switch await unlocking.result {
  case .success(let code): print("\(door) is open, code \(code)")
  case .failure(let error): print("\(door): \(error)")
  }
}
let bar = ProgressBar()
let updating = Task(name: "update") {
  for await percent in keyring.update() { await bar.draw(percent) }
}
await updating.value
print("\(bar.percent) %, drawn less often than told: \(bar.redraws < 50)")
