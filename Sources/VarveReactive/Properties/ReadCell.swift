internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// The part of a property's core that records reads of the value by the program's own code.
package class ReadCell: @unchecked Sendable {
  // Safety: the only state is atomic.

  /// The number of changes so far in the upper 48 bits, and the number of reads recorded since then.
  private let reads = Atomic<UInt64>(0)

  /// The maximum number of recorded reads between two changes.
  private static let mostReads: UInt64 = 64

  /// Whether reads are recorded.
  @inline(__always)
  static var areRecorded: Bool { vv_reads_are_wanted() }

  /// Runs `body`, which reads properties for the library's own purposes.
  static func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard areRecorded else { return try body() }
    let thread = vv_thread_current()!
    let outer = thread.pointee.reads_itself
    thread.pointee.reads_itself = 1
    defer { thread.pointee.reads_itself = outer }
    return try body()
  }

  /// Records a read, unless there were too many since the last change.
  func noteRead() {}

  /// Records that the program's code takes the signal of the changes: it leaves the value out.
  func noteChangesTaken() {}

  /// Records a read of the value, or of the signal of its changes, after so many changes.
  @inline(never)
  final func noteRead(
    of stream: StreamIdentity, after changes: UInt64, takingChanges: Bool = false
  ) {
    let gate = Gate.word
    guard gate != 0, vv_thread_current().pointee.reads_itself == 0, stream.isWanted(by: gate),
      takeTurn(after: changes)
    else { return }
    stream.define(for: gate)
    let stack = Stacks.current(for: gate)
    let head = RecordHead(gate: gate, kind: .read, stream: stream.id, subscription: 0)
    // Recalled causes belong to the value that is delivered next.
    Records.keepingRecalled {
      if takingChanges {
        let payload = SubscriptionPayload(stream: stream.id, stack: stack)
        head.emit(.stream, word: payload.word, into: Records.writer)
      } else {
        let payload = HopPayload(stack: stack, parent: vv_thread_current().pointee.hop)
        head.emit(.cause, word: payload.word, into: Records.writer)
      }
    }
  }

  /// Returns whether another read may be recorded before the next change.
  private func takeTurn(after changes: UInt64) -> Bool {
    let version = changes << 16
    var old = reads.load(ordering: .relaxed)
    while true {
      let count = old & ~0xffff == version ? old & 0xffff : 0
      guard count < Self.mostReads else { return false }
      let (exchanged, found) = reads.compareExchange(
        expected: old, desired: version | count + 1, ordering: .relaxed)
      if exchanged { return true }
      old = found
    }
  }
}
