import VarveReactive

/// An observer that notices what a stream must not do to it.
///
/// It has no lock: that a stream's deliveries are serial, and that one sees what the one before it
/// wrote, is what is to be proved. ThreadSanitizer sees when it is not so.
final class Witness<Value: Sendable>: @unchecked Sendable {
  // Safety: none; it is the stream's serial delivery that makes this safe.
  private(set) var count = 0
  private(set) var ends = 0
  private(set) var complaints: [String] = []
  private var isInside = false
  private let look: (Value) -> Void

  init(_ look: @escaping @Sendable (Value) -> Void = { _ in }) { self.look = look }

  func note(_ event: Event<Value, Never>) {
    if isInside { complaints.append("two deliveries at once") }
    isInside = true
    if ends > 0 { complaints.append("\(event) after the end") }
    switch event {
    case .value(let value):
      count += 1
      look(value)
    case .completed, .interrupted: ends += 1
    }
    isInside = false
  }
}
