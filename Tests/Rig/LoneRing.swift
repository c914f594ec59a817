public import CVarveSystem
import Foundation
import VarveProbe

/// A ring without a recording: the test takes the turns of its thread and of its drain thread.
public final class LoneRing {
  /// How many bytes it holds.
  public static let capacity: UInt64 = 64 << 10

  /// The slot that has the ring.
  public let slot: UnsafeMutablePointer<vv_slot>
  /// What records into it.
  public let writer = UnsafeMutablePointer<vv_writer>.allocate(capacity: 1)

  /// Maps an empty ring, of a file that nobody else can see.
  public init(policy: vv_policy = vv_policy_drop) {
    var path = Array((NSTemporaryDirectory() + "varve-ring-XXXXXX").utf8CString)
    let file = mkstemp(&path)
    unlink(path)
    guard file >= 0, ftruncate(file, 16_384 + off_t(Self.capacity)) == 0,
      let base = vv_ring_map(file, 0, Self.capacity, .max),
      let slot = vv_slot_make(base, Self.capacity, 0, policy)
    else { preconditionFailure("no ring for a test") }
    close(file)
    self.slot = slot
    writer.initialize(to: vv_writer())
    vv_slot_take(slot, writer, 1, 7)
  }

  deinit {
    vv_slot_release(slot)
    writer.deallocate()
  }

  /// The ring itself.
  public var ring: UnsafeMutablePointer<vv_ring> { slot.pointee.ring }

  /// Records a value with a text of eight bytes at most: 48 bytes.
  public func emit(_ text: String) {
    var text = text
    text.withUTF8 {
      _ = vv_emit_bytes(
        writer, 1 << 8, RecordKind.value.rawValue, PayloadKind.string.rawValue, 1, 0, 0,
        $0.baseAddress, UInt32($0.count), UInt32($0.count))
    }
  }

  /// Records that the thread runs a scheduler's work.
  public func beginHop(on scheduler: UInt32) {
    _ = vv_emit(
      writer, 1 << 8, RecordKind.hopBegan.rawValue, PayloadKind.absent.rawValue, scheduler, 0, 0)
  }

  /// Fills it; its content is of no interest.
  public func fill() {
    writer.pointee.head = ring.pointee.tail + Self.capacity
    vv_ring_publish(ring, writer.pointee.head)
  }

  /// Takes everything out, as the drain thread does.
  public func empty() { vv_ring_pass(ring, writer.pointee.head, 0) }

  /// Records where no room is, and says whether that was lost, as it has to be.
  public func loseOne() -> Bool {
    fill()
    return !vv_slot_make_room(writer, 64)
  }
}
