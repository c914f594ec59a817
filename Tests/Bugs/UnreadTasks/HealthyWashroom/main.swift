// Symptom: None. Who leaves the queue of the washing machine is told so at once, and the others
// get their turn.
// Looks at: the tenant who leaves ("turn of Bea")

import Foundation

actor WashingMachine {
  private struct Waiter {
    let tenant: String
    let turn: CheckedContinuation<Bool, Never>
  }

  private var isTaken = false
  private var queue: [Waiter] = []

  /// Returns true when it is the tenant's turn, and false if the tenant gave up before.
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
    guard let place = queue.firstIndex(where: { $0.tenant == tenant }) else { return }
    queue.remove(at: place).turn.resume(returning: false)
  }
}

struct Laundry: Sendable {
  let machine = WashingMachine()

  func wash(_ tenant: String) async -> String {
    guard await machine.turn(for: tenant) else { return "\(tenant) left" }
    try? await Task.sleep(for: .milliseconds(80))
    await machine.unload()
    return "\(tenant) has washed"
  }
}

let laundry = Laundry()
var turns: [Task<String, Never>] = []
for tenant in ["Ada", "Bea", "Carl", "Dan"] {
  turns.append(Task(name: "turn of \(tenant)") { await laundry.wash(tenant) })
  try await Task.sleep(for: .milliseconds(15))
}
turns[1].cancel()
for turn in turns { print(await turn.value) }
