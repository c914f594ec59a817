internal import Synchronization

/// A queue of values and their causes, in transit from one serializer to another.
///
/// One thread at a time enqueues (the one inside the source serializer), one dequeues (the one
/// inside the destination serializer), and neither waits for the other. Values lie in chunks of raw
/// memory, because finding the type of a generic element costs more than a whole delivery.
final class HandOffQueue<Value>: @unchecked Sendable {
  // Safety: `tail` and `filled` belong to the enqueuing thread; `head`, `emptied` and `taken` to
  // the dequeuing one. `published` hands over a slot, and `spare` hands back a chunk.

  /// The number of values enqueued so far.
  private let published = Atomic<UInt>(0)
  /// An emptied chunk for reuse, or 0.
  private let spare = Atomic<UInt>(0)
  private let layout: ChunkLayout

  private var tail: UnsafeMutableRawPointer
  private var filled = 0

  private var head: UnsafeMutableRawPointer
  private var emptied = 0
  private var taken: UInt = 0

  init() {
    layout = ChunkLayout(
      size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    tail = layout.allocate()
    head = tail
  }

  deinit {
    while takeFirst({ _, _ in }) {}
    head.deallocate()
    UnsafeMutableRawPointer(bitPattern: spare.load(ordering: .acquiring))?.deallocate()
  }

  /// Enqueues a value.
  @inline(__always)
  func put(_ value: Value, cause: UInt64) {
    if filled == layout.capacity { extend() }
    let slot = tail + layout.slot(filled)
    slot.storeBytes(of: cause, as: UInt64.self)
    (slot + layout.valueOffset).assumingMemoryBound(to: Value.self).initialize(to: value)
    filled += 1
    published.store(published.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// Dequeues the oldest value and passes it to `body`; returns false if the queue is empty.
  @inline(__always)
  func takeFirst(_ body: (Value, _ cause: UInt64) -> Void) -> Bool {
    guard taken != published.load(ordering: .acquiring) else { return false }
    if emptied == layout.capacity { advance() }
    let slot = head + layout.slot(emptied)
    emptied += 1
    taken &+= 1
    let cause = slot.load(as: UInt64.self)
    body((slot + layout.valueOffset).assumingMemoryBound(to: Value.self).move(), cause)
    return true
  }

  /// Dequeues the oldest value.
  func takeFirst() -> Held<Value>? {
    var held: Held<Value>?
    _ = takeFirst { held = Held($0, cause: $1) }
    return held
  }

  private func extend() {
    let chunk =
      UnsafeMutableRawPointer(bitPattern: spare.exchange(0, ordering: .acquiring))
      ?? layout.allocate()
    tail.storeBytes(of: UInt(bitPattern: chunk), as: UInt.self)
    tail = chunk
    filled = 0
  }

  private func advance() {
    guard let next = UnsafeMutableRawPointer(bitPattern: head.load(as: UInt.self)) else { return }
    let kept = spare.exchange(UInt(bitPattern: head), ordering: .acquiringAndReleasing)
    UnsafeMutableRawPointer(bitPattern: kept)?.deallocate()
    head = next
    emptied = 0
  }
}

/// The layout of a chunk: a pointer to the next chunk, then slots of a cause and a value each.
private struct ChunkLayout {
  let capacity: Int
  let valueOffset: Int
  private let alignment: Int
  private let stride: Int
  private let header: Int

  init(size: Int, alignment: Int) {
    self.alignment = max(alignment, 8)
    valueOffset = Self.round(8, upTo: alignment)
    stride = Self.round(valueOffset + size, upTo: self.alignment)
    header = Self.round(8, upTo: self.alignment)
    capacity = max(4, min(32, 2048 / stride))
  }

  @inline(__always)
  func slot(_ index: Int) -> Int { header + index * stride }

  func allocate() -> UnsafeMutableRawPointer {
    .allocate(byteCount: header + capacity * stride, alignment: max(alignment, 16))
  }

  private static func round(_ bytes: Int, upTo alignment: Int) -> Int {
    (bytes + alignment - 1) / alignment * alignment
  }
}
