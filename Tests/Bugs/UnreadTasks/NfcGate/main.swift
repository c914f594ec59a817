// Symptom: A visitor takes the pass away too early, and the gate is dead: it says "hold your pass" and
// reads nothing any more.
// Looks at: the reading of a pass ("reading")

import Foundation

struct Pass: Sendable {
  let number: Int
}

enum ReaderError: Error { case taken }

/// The reader at the gate, as its maker delivers it.
final class NfcReader: Sendable {
  private let queue = DispatchQueue(label: "nfc")

  func read(_ number: Int, done: @escaping @Sendable (Pass?, ReaderError?) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.03) {
      if number == 0 { done(nil, .taken) } else { done(Pass(number: number), nil) }
    }
  }
}

struct Gate: Sendable {
  let reader = NfcReader()
  let valid: Set<Int> = [301, 302, 305]

  private func readPass(_ number: Int) async throws -> Pass {
    try await withCheckedThrowingContinuation { continuation in
      reader.read(number) { pass, error in
        guard let pass else { return print("display: \(error!)") }  // culprit
        continuation.resume(returning: pass)
      }
    }
  }

  func admit(_ number: Int) async -> String {
    print("hold your pass")
    do {
      let pass = try await readPass(number)
      return valid.contains(pass.number) ? "welcome" : "not valid today"
    } catch {
      return "please try again"
    }
  }
}

let gate = Gate()
for visitor in [301, 299, 0, 302] {
  let reading = Task(name: "reading") { await gate.admit(visitor) }
  print(await reading.value)
}
print("closed")
