// Symptom: None; this works.
// Looks at: the calls of the lift ("call")

import Foundation

struct TooLate: Error {}

/// A continuation for whoever comes first; the others are late, and that is all right.
final class Answer: @unchecked Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Int, any Error>)
    case done(Result<Int, any Error>)
  }

  private let lock = NSLock()
  private var state = State.open

  func give(_ result: Result<Int, any Error>) {
    let waiting: CheckedContinuation<Int, any Error>? = lock.withLock {
      switch state {
      case .open:
        state = .done(result)
        return nil
      case .waiting(let continuation):
        state = .done(result)
        return continuation
      case .done:
        return nil
      }
    }
    waiting?.resume(with: result)
  }

  func wait() async throws -> Int {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let known: Result<Int, any Error>? = lock.withLock {
          if case .done(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let known { continuation.resume(with: known) }
      }
    } onCancel: {
      give(.failure(CancellationError()))
    }
  }
}

struct Lift: Sendable {
  private let queue = DispatchQueue(label: "lift")

  func call(to floor: Int, needs seconds: Double, within limit: Double) async throws -> Int {
    let answer = Answer()
    queue.asyncAfter(deadline: .now() + seconds) { answer.give(.success(floor)) }
    queue.asyncAfter(deadline: .now() + limit) { answer.give(.failure(TooLate())) }
    return try await answer.wait()
  }
}

func call(_ lift: Lift, to floor: Int, needs seconds: Double) -> Task<Void, Never> {
  Task(name: "call") {
    do {
      let floor = try await lift.call(to: floor, needs: seconds, within: 0.1)
      print("floor \(floor): the lift is here")
    } catch is TooLate {
      print("floor \(floor): the lift is stuck")
    } catch {
      print("floor \(floor): took the stairs")
    }
  }
}

let lift = Lift()
await call(lift, to: 1, needs: 0.03).value
await call(lift, to: 2, needs: 0.16).value
let impatient = call(lift, to: 3, needs: 0.08)
try await Task.sleep(for: .milliseconds(30))
impatient.cancel()
await impatient.value
let never = call(lift, to: 4, needs: 0.05)
never.cancel()
await never.value
try await Task.sleep(for: .milliseconds(120))
