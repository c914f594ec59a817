/// How deep the end of a signal is delivered inside the end of the one that it was made of.
///
/// In a chain of signals each passes its end on while it takes it, and a chain that goes out of use
/// ends, however long it is. So some levels deep the rest is put aside for the outermost of these
/// deliveries, which does it before it returns.
struct TerminationTrampoline {
  private static let deepest = 64

  private var depth = 0
  /// The ends that were put aside, in their order.
  private var later: [DeferredAction] = []

  /// Whether the next end has to be put aside.
  var isDeepest: Bool { depth == Self.deepest }

  fileprivate mutating func begin() { depth += 1 }

  /// True when this was the outermost end and others were put aside.
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
  /// Delivers the end of a signal, inside those that are being delivered. Inside the serializer.
  func nest(_ deliver: () -> Void) {
    endings.begin()
    deliver()
    guard endings.end() else { return }
    // Those may put others aside: not in here, where none is the outermost.
    endings.begin()
    while case let batch = endings.takeAll(), !batch.isEmpty {
      for ending in batch { ending.attributed { ending.run() } }
    }
    _ = endings.end()
  }

  /// Puts the end of a signal aside for the outermost of those that are being delivered.
  func nestLater(_ deliver: @escaping () -> Void) {
    endings.putAside(DeferredClosure(inside: deliver))
  }
}
