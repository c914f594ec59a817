// Symptom: I waited for the washing machine and pressed "Leave the queue". The wheel has been
// turning ever since. The others in the house get their turn.
// Looks at: the tenant who leaves ("turn of Bea")

import Foundation

actor WashingMachine {
  private struct Waiter {
    let tenant: String
    let turn: CheckedContinuation<Bool, Never>
  }

  private var isTaken = false
  private var queue: [Waiter] = []

  /// Returns true when it is the tenant's turn.
  func turn(for tenant: String) async -> Bool {
    guard isTaken else {
      isTaken = true
      return true
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { queue.append(Waiter(tenant: tenant, turn: $0)) }
    } onCancel: {
      Task { await self.leave(tenant) }
    }
  }

  func unload() {
    guard !queue.isEmpty else {
      isTaken = false
      return
    }
    queue.removeFirst().turn.resume(returning: true)
  }

  private func leave(_ tenant: String) {
    queue.removeAll { $0.tenant == tenant }  // culprit
  }
}

struct Laundry: Sendable {
  let machine = WashingMachine()

  func wash(_ tenant: String) async -> String {
    guard await machine.turn(for: tenant) else { return "\(tenant) left" }
    try? await Task.sleep(for: .milliseconds(120))
    await machine.unload()
    return "\(tenant) has washed"
  }
}

let laundry = Laundry()
var turns: [Task<String, Never>] = []
for tenant in ["Ada", "Bea", "Carl"] {
  turns.append(Task(name: "turn of \(tenant)") { await laundry.wash(tenant) })
  try await Task.sleep(for: .milliseconds(20))
}
turns[1].cancel()
for turn in [turns[0], turns[2], turns[1]] { print(await turn.value) }
