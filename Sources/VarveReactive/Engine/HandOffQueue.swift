internal import Synchronization

/// Values on their way from one serializer into another, and where they came from, oldest first.
///
/// One thread at a time puts values in (whoever is inside the serializer that they come from), one
/// takes them out (whoever is inside the serializer that they go to), and neither waits for the
/// other. They lie in chunks of raw memory, because to find the type of a generic element costs
/// more than a whole delivery.
final class HandOffQueue<Value>: @unchecked Sendable {
  // Safety: `tail` and `filled` belong to the one who puts, `head`, `emptied` and `taken` to the one
  // who takes; `published` hands a slot from the one to the other, `spare` a chunk back.

  /// How many values were put in.
  private let published = Atomic<UInt>(0)
  /// A chunk that is empty again, or 0.
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

  /// Puts a value in.
  @inline(__always)
  func put(_ value: Value, cause: UInt64) {
    if filled == layout.capacity { extend() }
    let slot = tail + layout.slot(filled)
    slot.storeBytes(of: cause, as: UInt64.self)
    (slot + layout.valueOffset).assumingMemoryBound(to: Value.self).initialize(to: value)
    filled += 1
    published.store(published.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// Takes the oldest value out and hands it to `body`; false when there is none.
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

  /// Takes the oldest value out.
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

/// Where things lie in a chunk: a pointer to the next chunk, then slots of a cause and a value each.
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
