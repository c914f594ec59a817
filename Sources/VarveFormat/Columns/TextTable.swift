#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The texts of the block that is being encoded.
///
/// Each different text is kept once, as long as that pays. Of a new one only that part is kept which
/// its beginning does not share with the text before it in the same shape: a program's lines mostly
/// differ in a number at the end.
final class TextTable {
  /// A text that is kept.
  private struct Entry {
    var hash: UInt64
    var start: UInt32
    var length: UInt32
  }

  /// After so many texts the table decides whether they repeat.
  private static let trial = 1_024

  /// What of the different texts is written.
  let suffixes = BlockBuffer(capacity: 4_096)
  /// How many different texts there are.
  private(set) var count = 0

  private let heap = BlockBuffer(capacity: 4_096)
  private let numbers = NumberList<UInt32>()
  private let cuts = NumberList<UInt32>()
  private let lengths = NumberList<UInt32>()
  private let prefixes = NumberList<UInt32>()
  private var entries: UnsafeMutablePointer<Entry>
  /// A text's number from 1, or 0 for a free slot. Twice as many as `capacity`.
  private var slots: UnsafeMutablePointer<UInt32>
  private var capacity = 256
  private var isLooking = true

  init() {
    entries = .allocate(capacity: capacity)
    slots = .allocate(capacity: capacity * 2)
    slots.initialize(repeating: 0, count: capacity * 2)
  }

  deinit {
    entries.deallocate()
    slots.deallocate()
  }

  /// Forgets all texts.
  func removeAll() {
    guard numbers.count > 0 else { return }
    slots.update(repeating: 0, count: capacity * 2)
    suffixes.removeAll()
    heap.removeAll()
    numbers.removeAll()
    cuts.removeAll()
    lengths.removeAll()
    prefixes.removeAll()
    count = 0
    isLooking = true
  }

  /// Adds the text of an event; returns its number, from 1.
  ///
  /// - Parameters:
  ///   - original: the bytes that the value had.
  ///   - last: the number of the text before it in the same shape, or 0.
  func add(_ text: UnsafeRawBufferPointer, original: UInt32, after last: UInt32) -> UInt32 {
    cuts.append(original &- UInt32(text.count))
    if count == capacity { grow() }
    // Looking for repetition costs as much as all else together; where nine of ten texts are new,
    // the rest of the block is taken as it comes.
    if numbers.count > Self.trial && count * 10 > numbers.count * 9 { isLooking = false }
    guard isLooking else { return append(text, hash: 0, after: last) }
    let hash = Self.hash(text)
    var slot = Int(truncatingIfNeeded: hash) & (capacity * 2 - 1)
    while slots[slot] != 0 {
      let number = slots[slot]
      if equals(text, hash, entries[Int(number) - 1]) {
        numbers.append(number)
        return number
      }
      slot = (slot + 1) & (capacity * 2 - 1)
    }
    let number = append(text, hash: hash, after: last)
    slots[slot] = number
    return number
  }

  /// Writes the columns of text; nothing if there is none.
  func write(to out: BlockBuffer, _ planes: PlaneEncoder) {
    guard numbers.count > 0 else { return }
    planes.append(Column.texts, numbers, to: out)
    planes.append(Column.cuts, cuts, to: out)
    planes.append(Column.textLengths, lengths, to: out)
    planes.append(Column.textPrefixes, prefixes, to: out)
    planes.append(Column.heap, text: suffixes.bytes, to: out)
  }

  private func equals(_ text: UnsafeRawBufferPointer, _ hash: UInt64, _ entry: Entry) -> Bool {
    guard entry.hash == hash, entry.length == UInt32(text.count) else { return false }
    guard let start = text.baseAddress else { return true }
    return memcmp(heap.base + Int(entry.start), start, text.count) == 0
  }

  private func append(_ text: UnsafeRawBufferPointer, hash: UInt64, after last: UInt32) -> UInt32 {
    let shared = last == 0 ? 0 : commonPrefix(text, entries[Int(last) - 1])
    entries[count] = Entry(
      hash: hash, start: UInt32(heap.count), length: UInt32(text.count))
    heap.append(text)
    suffixes.append(UnsafeRawBufferPointer(rebasing: text[shared...]))
    numbers.append(0)
    lengths.append(UInt32(text.count))
    prefixes.append(UInt32(shared))
    count += 1
    return UInt32(count)
  }

  private func commonPrefix(_ text: UnsafeRawBufferPointer, _ entry: Entry) -> Int {
    let other = heap.base + Int(entry.start)
    let most = min(text.count, Int(entry.length))
    var shared = 0
    while shared + 8 <= most {
      let difference =
        text.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
      if difference != 0 { return shared + difference.littleEndian.trailingZeroBitCount / 8 }
      shared += 8
    }
    while shared < most, text[shared] == other.load(fromByteOffset: shared, as: UInt8.self) {
      shared += 1
    }
    return shared
  }

  private func grow() {
    let fresh = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    fresh.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = fresh
    capacity *= 2
    slots.deallocate()
    slots = .allocate(capacity: capacity * 2)
    slots.initialize(repeating: 0, count: capacity * 2)
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
