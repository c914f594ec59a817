import Foundation

struct Van: Sendable {
  let plate: String
  /// How long its box needs to answer.
  let delay: Double
}

/// The maker's library, with callbacks.
final class BoxRadio: Sendable {
  private let queue = DispatchQueue(label: "radio")

  func send(_ command: String, to van: Van, reply: @escaping @Sendable (String) -> Void) {
    queue.asyncAfter(deadline: .now() + van.delay) { reply("\(van.plate) \(command): done") }
  }
}
