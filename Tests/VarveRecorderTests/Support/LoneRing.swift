import CVarveSystem
import Testing
import VarvePlatform
import VarveProbe

/// A ring without a recording: its thread and its drain thread take turns.
final class LoneRing {
  static let capacity: UInt64 = 64 << 10

  let slot: UnsafeMutablePointer<vv_slot>
  let writer = UnsafeMutablePointer<vv_writer>.allocate(capacity: 1)

  init(in folder: Folder, policy: vv_policy = vv_policy_drop) throws {
    let path = folder.file("ring")
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    try #require(file >= 0 && ftruncate(file, 16_384 + off_t(Self.capacity)) == 0)
    defer { close(file) }
    let base = try #require(vv_ring_map(file, 0, Self.capacity, .max))
    slot = try #require(vv_slot_make(base, Self.capacity, 0, policy))
    writer.initialize(to: vv_writer())
    vv_slot_take(slot, writer, 1, 7)
  }

  deinit {
    vv_slot_release(slot)
    writer.deallocate()
  }

  var ring: UnsafeMutablePointer<vv_ring> { slot.pointee.ring }

  /// Records a value with a text of eight bytes at most: 48 bytes.
  func emit(_ text: String) {
    var text = text
    text.withUTF8 {
      _ = vv_emit_bytes(
        writer, 1 << 8, RecordKind.value.rawValue, PayloadKind.string.rawValue, 1, 0, 0,
        $0.baseAddress, UInt32($0.count), UInt32($0.count))
    }
  }

  /// Records that the thread runs a scheduler's work.
  func beginHop(on scheduler: UInt32) {
    _ = vv_emit(
      writer, 1 << 8, RecordKind.hopBegan.rawValue, PayloadKind.absent.rawValue, scheduler, 0, 0)
  }
}
