/// The entries of blocks of losses. These, like anchors, have a fixed size and are stored as they
/// are.
package enum LossEntry {
  package enum Layout {
    package static let ring = LayoutField(0, 4)
    package static let reason = LayoutField(4, 1)
    package static let count = LayoutField(8, 8)
    package static let firstTick = LayoutField(16, 8)
    package static let lastTick = LayoutField(24, 8)
    package static let end = 32
  }

  static func append(_ loss: TraceLoss, to bytes: inout [UInt8]) {
    bytes.append(little: loss.ring)
    bytes.append(little: UInt32(loss.reason.rawValue))
    bytes.append(little: loss.count)
    bytes.append(little: loss.ticks.lowerBound)
    bytes.append(little: loss.ticks.upperBound)
  }

  /// Returns the entry at the beginning of `bytes`; nil if its times run backwards.
  static func read(_ bytes: UnsafeRawBufferPointer) -> TraceLoss? {
    let first = bytes.little(UInt64.self, at: Layout.firstTick.offset)
    let last = bytes.little(UInt64.self, at: Layout.lastTick.offset)
    guard first <= last else { return nil }
    return TraceLoss(
      ring: bytes.little(UInt32.self, at: Layout.ring.offset),
      count: bytes.little(UInt64.self, at: Layout.count.offset), ticks: first...last,
      reason: TraceLoss.Reason(rawValue: bytes[Layout.reason.offset]) ?? .noRoom)
  }
}

/// The entries of blocks of anchors.
package enum AnchorEntry {
  package enum Layout {
    package static let ticks = LayoutField(0, 8)
    package static let monotonic = LayoutField(8, 8)
    package static let end = 16
  }

  static func append(_ anchor: ClockAnchor, to bytes: inout [UInt8]) {
    bytes.append(little: anchor.ticks)
    bytes.append(little: anchor.monotonic)
  }

  static func read(_ bytes: UnsafeRawBufferPointer) -> ClockAnchor {
    ClockAnchor(
      ticks: bytes.little(UInt64.self, at: Layout.ticks.offset),
      monotonic: bytes.little(UInt64.self, at: Layout.monotonic.offset))
  }
}
