#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The texts of the block that is being encoded: each different one is kept once, as long as that
/// pays.
final class TextTable {
  /// A text that is kept.
  private struct Entry {
    var hash: UInt64
    var start: UInt32
    var length: UInt32
  }

  /// After so many texts the table decides whether they repeat.
  private static let trial = 1_024

  /// The bytes of the different texts.
  let heap = BlockBuffer(capacity: 4_096)
  /// Lengths of the different texts.
  private(set) var lengths: UnsafeMutablePointer<UInt32>
  /// How many different texts there are.
  private(set) var count = 0

  private var entries: UnsafeMutablePointer<Entry>
  /// A text's number from 1, or 0 for a free slot. Twice as many as `capacity`.
  private var slots: UnsafeMutablePointer<UInt32>
  private var capacity = 256
  private var seen = 0
  private var isLooking = true

  init() {
    lengths = .allocate(capacity: capacity)
    entries = .allocate(capacity: capacity)
    slots = .allocate(capacity: capacity * 2)
    slots.initialize(repeating: 0, count: capacity * 2)
  }

  deinit {
    lengths.deallocate()
    entries.deallocate()
    slots.deallocate()
  }

  /// Forgets all texts.
  func removeAll() {
    if seen > 0 { slots.update(repeating: 0, count: capacity * 2) }
    heap.removeAll()
    count = 0
    seen = 0
    isLooking = true
  }

  /// Adds a text. Returns 0 when it was not there yet, else its number from 1.
  func add(_ text: UnsafeRawBufferPointer) -> UInt32 {
    if count == capacity { grow() }
    seen += 1
    // Looking for repetition costs as much as all else together: where nine of ten texts are new,
    // the rest of the block is taken as it comes.
    if seen > Self.trial && count * 10 > seen * 9 { isLooking = false }
    guard isLooking else {
      append(text, hash: 0)
      return 0
    }
    let hash = Self.hash(text)
    var slot = Int(truncatingIfNeeded: hash) & (capacity * 2 - 1)
    while slots[slot] != 0 {
      if equals(text, hash, entries[Int(slots[slot]) - 1]) { return slots[slot] }
      slot = (slot + 1) & (capacity * 2 - 1)
    }
    append(text, hash: hash)
    slots[slot] = UInt32(count)
    return 0
  }

  private func equals(_ text: UnsafeRawBufferPointer, _ hash: UInt64, _ entry: Entry) -> Bool {
    guard entry.hash == hash, entry.length == UInt32(text.count) else { return false }
    guard let start = text.baseAddress else { return true }
    return memcmp(heap.base + Int(entry.start), start, text.count) == 0
  }

  private func append(_ text: UnsafeRawBufferPointer, hash: UInt64) {
    entries[count] = Entry(
      hash: hash, start: UInt32(heap.count), length: UInt32(text.count))
    lengths[count] = UInt32(text.count)
    heap.append(text)
    count += 1
  }

  private func grow() {
    let larger = capacity * 2
    let freshEntries = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    freshEntries.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = freshEntries
    let freshLengths = UnsafeMutablePointer<UInt32>.allocate(capacity: larger)
    freshLengths.moveInitialize(from: lengths, count: count)
    lengths.deallocate()
    lengths = freshLengths
    capacity = larger
    slots.deallocate()
    slots = .allocate(capacity: larger * 2)
    slots.initialize(repeating: 0, count: larger * 2)
    if isLooking { for index in 0..<count { place(index) } }
  }

  private func place(_ index: Int) {
    var slot = Int(truncatingIfNeeded: entries[index].hash) & (capacity * 2 - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (capacity * 2 - 1) }
    slots[slot] = UInt32(index + 1)
  }

  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(text.count) &* 0x9e37_79b9_7f4a_7c15
    var offset = 0
    while offset + 8 <= text.count {
      hash = mix(hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    while offset < text.count {
      hash = mix(hash ^ UInt64(text[offset]))
      offset += 1
    }
    return hash
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word &* 0xd6e8_feb8_6659_fd93
    return product ^ (product >> 32)
  }
}
