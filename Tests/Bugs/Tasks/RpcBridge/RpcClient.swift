import Foundation

struct Reply: Sendable {
  let call: Int
  let text: String
}

protocol Transport: Sendable {
  func send(_ call: Int, _ method: String)
}

struct DeadlineExceeded: Error {}

/// Gives each call its number, and the reply with this number to the caller.
actor RpcClient {
  private let transport: any Transport
  private let deadline: Duration
  private var calls = 0
  private var pending: [Int: CheckedContinuation<String, any Error>] = [:]

  init(transport: any Transport, deadline: Duration) {
    self.transport = transport
    self.deadline = deadline
  }

  func call(_ method: String) async throws -> String {
    calls += 1
    let call = calls
    let timer = Task(name: "deadline \(call)") {
      try await Task.sleep(for: deadline)
      expire(call)
    }
    defer { timer.cancel() }
    return try await withCheckedThrowingContinuation { caller in
      pending[call] = caller
      transport.send(call, method)
    }
  }

  func receive(_ reply: Reply) {
    pending.removeValue(forKey: reply.call)?.resume(returning: reply.text)
  }

  private func expire(_ call: Int) {
    pending[call]?.resume(throwing: DeadlineExceeded())  // culprit
  }
}
