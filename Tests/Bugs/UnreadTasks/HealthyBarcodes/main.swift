// Symptom: None. A code is read or the scan is left, and whoever waits is told so once.
// Looks at: the scan that is left ("scan 3")

import Foundation
import Synchronization

/// A camera that calls back on a queue of its own, now and then after nobody waits any more.
final class Camera: Sendable {
  private let queue = DispatchQueue(label: "camera")

  func read(_ shelf: Int, then found: @escaping @Sendable (String) -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(shelf == 3 ? 300 : 30)) {
      found("40-\(shelf * 1_117)")
    }
  }
}

final class Scanner: Sendable {
  private let camera = Camera()
  private let waiting = Mutex<[Int: CheckedContinuation<String, any Error>]>([:])

  func scan(_ shelf: Int) async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Who is cancelled before this will not be told by the handler.
        let isLeft = waiting.withLock { waiting in
          guard !Task.isCancelled else { return true }
          waiting[shelf] = continuation
          return false
        }
        guard !isLeft else { return continuation.resume(throwing: CancellationError()) }
        camera.read(shelf) { [self] code in take(shelf)?.resume(returning: code) }
      }
    } onCancel: {
      take(shelf)?.resume(throwing: CancellationError())
    }
  }

  /// Only who takes it out may resume it.
  private func take(_ shelf: Int) -> CheckedContinuation<String, any Error>? {
    waiting.withLock { $0.removeValue(forKey: shelf) }
  }
}

let scanner = Scanner()
let scans = (1...4).map { shelf in
  Task(name: "scan \(shelf)") { try await scanner.scan(shelf) }
}
try await Task.sleep(for: .milliseconds(100))
scans[2].cancel()
for (index, scan) in scans.enumerated() {
  do {
    print("shelf \(index + 1): \(try await scan.value)")
  } catch is CancellationError {
    print("shelf \(index + 1): left")
  }
}
try await Task.sleep(for: .milliseconds(350))
print("all are told")
