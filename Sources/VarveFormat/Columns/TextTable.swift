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

  /// How many texts there are in all.
  private var seen = 0
  /// The different texts, one after the other; behind them there is room for two words more, since
  /// texts are copied and compared in whole words.
  private let heap = BlockBuffer(capacity: 4_096)
  private static let slack = 16
  // For as many texts as a block has events: nobody asks whether there is room for one more.
  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: most)
  private let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  private let cuts = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  private let lengths = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  private let prefixes = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  private static let most = TraceLimits.eventsWritten
  /// A text's number from 1, or 0 for a free slot. At least twice as many as texts are looked for.
  private var slots: UnsafeMutablePointer<UInt32>
  private var slotCount = 512
  /// So many bits of a hash do not count for its slot.
  private var shift: UInt64 = 64 - 9
  private var isLooking = true

  init() {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  deinit {
    entries.deallocate()
    for list in [numbers, cuts, lengths, prefixes, slots] { list.deallocate() }
  }

  /// Forgets all texts.
  func removeAll() {
    guard seen > 0 else { return }
    slots.update(repeating: 0, count: slotCount)
    suffixes.removeAll()
    heap.removeAll()
    count = 0
    seen = 0
    isLooking = true
  }

  /// Adds the text of an event; returns its number, from 1.
  ///
  /// - Parameters:
  ///   - text: its first byte. What follows it up to a whole number of words can be read, too.
  ///   - length: how many bytes it has.
  ///   - original: the bytes that the value had.
  ///   - last: the number of the text before it in the same shape, or 0.
  @inline(__always)
  func add(_ text: UnsafeRawPointer, length: Int, original: UInt32, after last: UInt32) -> UInt32 {
    cuts[seen] = original &- UInt32(truncatingIfNeeded: length)
    let index = seen
    seen &+= 1
    guard isLooking else {
      numbers[index] = 0
      return append(text, length, hash: 0, after: last)
    }
    let before = count
    let number = find(text, length, after: last)
    numbers[index] = count == before ? number : 0
    return number
  }

  /// Writes the columns of text; nothing if there is none.
  func write(to out: BlockBuffer, _ planes: PlaneEncoder) {
    guard seen > 0 else { return }
    planes.append(Column.texts, numbers, count: seen, to: out)
    planes.append(Column.cuts, cuts, count: seen, to: out)
    planes.append(Column.textLengths, lengths, count: count, to: out)
    planes.append(Column.textPrefixes, prefixes, count: count, to: out)
    planes.append(Column.heap, text: suffixes.bytes, to: out)
  }

  /// The number of a text that may be there already; of a new one after it was added.
  @inline(never)
  private func find(_ text: UnsafeRawPointer, _ length: Int, after last: UInt32) -> UInt32 {
    // Looking for repetition costs as much as all else together; where nine of ten texts are new,
    // the rest of the block is taken as it comes.
    if seen > Self.trial + 1 && count * 10 > (seen - 1) * 9 {
      isLooking = false
      return appendFound(text, length, hash: 0, after: last)
    }
    if count * 2 == slotCount { grow() }
    let hash = Self.hash(text, length)
    var slot = self.slot(of: hash)
    while slots[slot] != 0 {
      let number = slots[slot]
      if equals(text, length, hash, entries[Int(number) - 1]) { return number }
      slot = (slot + 1) & (slotCount - 1)
    }
    let number = appendFound(text, length, hash: hash, after: last)
    slots[slot] = number
    return number
  }

  /// Not inlined: what is there already is found by a small function.
  @inline(never)
  private func appendFound(
    _ text: UnsafeRawPointer, _ length: Int, hash: UInt64, after last: UInt32
  ) -> UInt32 {
    append(text, length, hash: hash, after: last)
  }

  @inline(__always)
  private func append(
    _ text: UnsafeRawPointer, _ length: Int, hash: UInt64, after last: UInt32
  ) -> UInt32 {
    let start = heap.count
    let kept = heap.room(for: length &+ Self.slack)
    Self.copy(text, to: kept, length)
    heap.advance(by: length)
    let shared = last == 0 ? 0 : commonPrefix(kept, length, entries[Int(last) &- 1])
    let rest = length &- shared
    Self.copy(kept + shared, to: suffixes.room(for: rest &+ Self.slack), rest)
    suffixes.advance(by: rest)
    entries[count] = Entry(
      hash: hash, start: UInt32(truncatingIfNeeded: start),
      length: UInt32(truncatingIfNeeded: length))
    lengths[count] = UInt32(truncatingIfNeeded: length)
    prefixes[count] = UInt32(truncatingIfNeeded: shared)
    count &+= 1
    return UInt32(truncatingIfNeeded: count)
  }

  /// The upper bits of a product are those that all of a text has a part in.
  @inline(__always)
  private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> shift) }

  private func grow() {
    slots.deallocate()
    slotCount *= 2
    shift -= 1
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    for index in 0..<count {
      var slot = self.slot(of: entries[index].hash)
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  // MARK: - In words

  /// Copies a text, and up to seven bytes behind it.
  @inline(__always)
  private static func copy(
    _ text: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ length: Int
  ) {
    var offset = 0
    while offset < length {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
  }

  /// How many bytes a text of the heap shares with another one at its beginning.
  @inline(__always)
  private func commonPrefix(_ text: UnsafeRawPointer, _ length: Int, _ entry: Entry) -> Int {
    let other = UnsafeRawPointer(heap.base) + Int(entry.start)
    let most = min(length, Int(entry.length))
    var shared = 0
    while shared < most {
      let difference =
        text.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
      if difference != 0 {
        return min(shared &+ difference.littleEndian.trailingZeroBitCount / 8, most)
      }
      shared &+= 8
    }
    return most
  }

  private func equals(
    _ text: UnsafeRawPointer, _ length: Int, _ hash: UInt64, _ entry: Entry
  ) -> Bool {
    guard entry.hash == hash, entry.length == UInt32(truncatingIfNeeded: length) else {
      return false
    }
    return memcmp(heap.base + Int(entry.start), text, length) == 0
  }

  private static func hash(_ text: UnsafeRawPointer, _ length: Int) -> UInt64 {
    var hash = UInt64(length) &* 0x9e37_79b9_7f4a_7c15
    var offset = 0
    while offset &+ 8 <= length {
      hash = mix(hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    if offset < length {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      hash = mix(hash ^ word & (1 << UInt64((length - offset) * 8) - 1))
    }
    return hash
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = word &* 0xd6e8_feb8_6659_fd93
    return product ^ (product >> 32)
  }
}
