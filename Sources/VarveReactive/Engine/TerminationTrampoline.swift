/// A limit on how deep the end of a signal is delivered inside the end of the signal it was made
/// from.
///
/// Each signal in a chain passes its end on while receiving it, and a chain that goes out of use
/// ends, however long it is. Beyond a fixed depth, the remaining ends are queued for the outermost
/// of these deliveries, which performs them before it returns.
struct TerminationTrampoline {
  private static let deepest = 64

  private var depth = 0
  /// The postponed ends, in order.
  private var later: [DeferredAction] = []

  /// Whether the next end has to be postponed.
  var isDeepest: Bool { depth == Self.deepest }

  fileprivate mutating func begin() { depth += 1 }

  /// Returns true if this was the outermost end and others were postponed.
  fileprivate mutating func end() -> Bool {
    depth -= 1
    return depth == 0 && !later.isEmpty
  }

  fileprivate mutating func putAside(_ ending: DeferredAction) {
    ending.noteCause()
    later.append(ending)
  }

  fileprivate mutating func takeAll() -> [DeferredAction] {
    defer { later = [] }
    return later
  }
}

extension Serializer {
  /// Delivers the end of a signal inside the ends being delivered. Inside the serializer only.
  func nest(_ deliver: () -> Void) {
    endings.begin()
    deliver()
    guard endings.end() else { return }
    // These ends may postpone others. This loop counts as the outermost, so that none of them
    // drains the queue itself.
    endings.begin()
    while case let batch = endings.takeAll(), !batch.isEmpty {
      for ending in batch { ending.attributed { ending.run() } }
    }
    _ = endings.end()
  }

  /// Postpones the end of a signal for the outermost of the ends being delivered.
  func nestLater(_ deliver: @escaping () -> Void) {
    endings.putAside(DeferredClosure(inside: deliver))
  }
}
