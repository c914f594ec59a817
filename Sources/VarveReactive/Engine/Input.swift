internal import Synchronization

/// The treatment of a value that is sent on a signal from inside that signal's own delivery.
enum Recursion {
  /// The value stops the program with a report (contract E7).
  case refused
  /// The value is delivered after the delivery in progress, first in, first out.
  case queued
  /// The value is delivered at once, in the middle of the delivery in progress.
  case nested
}

extension Signal {
  /// The input of a root. Releasing it interrupts the stream, because no further event can arrive.
  class Input: Observer, @unchecked Sendable {
    // Safety: the root may be used from any thread.

    fileprivate final let root: Root<Value, Failure>

    fileprivate init(_ root: Root<Value, Failure>) {
      self.root = root
      super.init(value: nil, failed: nil, completed: nil, interrupted: nil)
    }

    /// Creates an input for the program's own code, or for the library's if `isOwn` says so.
    static func make(
      _ root: Root<Value, Failure>, recursion: Recursion = .refused, isOwn: Bool = false
    ) -> Input {
      root.isSentInto = !isOwn
      return switch recursion {
      case .refused: Input(root)
      case .queued: QueueingInput(root)
      case .nested: NestingInput(root)
      }
    }

    deinit { root.send(.interrupted) }

    override final var fedStream: UInt32 { root.reference.identity.id }

    override func receive(_ value: Value) { root.send(value) }

    override func terminate(_ termination: Termination<Failure>) { root.send(termination) }
  }

  /// Postpones recursive values until the delivery in progress is over.
  private final class QueueingInput: Input, @unchecked Sendable {
    // Safety: as in the base class.

    override func receive(_ value: Value) {
      guard root.isMine else { return root.send(value) }
      let held = Held(value)
      let delivery = DeferredDelivery { [root] in
        if !root.isOver { root.deliver(held.recall()) }
      }
      delivery.noteAuthor()
      root.performOnLeaving(delivery)
    }
  }

  /// Delivers recursive values in the middle of the delivery in progress.
  private final class NestingInput: Input, @unchecked Sendable {
    // Safety: as in the base class; the flag is atomic.

    /// Whether the end was sent, which may have to wait for the delivery in progress.
    private let hasEnded = Atomic<Bool>(false)

    override func receive(_ value: Value) {
      guard root.isMine else { return root.send(value) }
      if !hasEnded.load(ordering: .relaxed) { root.deliverNested(value) }
    }

    override func terminate(_ termination: Termination<Failure>) {
      hasEnded.store(true, ordering: .relaxed)
      super.terminate(termination)
    }
  }
}
