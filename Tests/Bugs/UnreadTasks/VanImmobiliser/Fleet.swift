import Foundation

struct NoAnswer: Error {}

actor Fleet {
  private let radio: BoxRadio
  private let timers = DispatchQueue(label: "timers")
  private var log: [String] = []

  init(radio: BoxRadio) { self.radio = radio }

  func release(_ van: Van) async throws -> String {
    let answer = try await ask(van, to: "release", within: 0.15)
    log.append(answer)
    return answer
  }

  private func ask(_ van: Van, to command: String, within time: Double) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      radio.send(command, to: van) { continuation.resume(returning: $0) }
      timers.asyncAfter(deadline: .now() + time) {
        continuation.resume(throwing: NoAnswer())  // culprit
      }
    }
  }
}
