internal import VarvePlatform

/// The texts of the block being encoded.
///
/// Each distinct text is stored once, as long as that pays. A new text is stored without the prefix
/// that it shares with the previous text of the same shape: a program's lines mostly differ in a
/// number at the end.
///
/// Texts are not copied: the records that hold them do not move until the block is written.
final class BlockTextTable {
  /// The number of texts after which the table decides whether texts repeat.
  private static let wholeTrial = 1_024
  /// The same, after a block in which they did not.
  private static let shortTrial = 256

  /// The stored parts of the distinct texts.
  let suffixes = BlockBuffer(capacity: 4_096)
  /// The number of distinct texts.
  private(set) var count = 0

  /// The number of texts in all.
  private var seen = 0
  // There is room for as many texts as a block has events, so additions need no checks.
  /// For each text, the number of the one that it repeats; 0 for a new one.
  private let numbers = SparseNumbers<UInt32>(capacity: most)
  /// For each text, the number of bytes that were cut off.
  private let cuts = SparseNumbers<UInt32>(capacity: most)
  private let lengths = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  private let prefixes = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  /// The addresses of the distinct texts, while repetition is looked for.
  private let places = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: most)
  /// Their hashes.
  private let hashes = UnsafeMutablePointer<UInt64>.allocate(capacity: most)
  private static let most = TraceLimits.eventsWritten
  /// Text numbers from 1, or 0 for free slots. At least twice as many as the texts looked for.
  private var slots: UnsafeMutablePointer<UInt32>
  private var slotCount = 512
  /// The number of bits of a hash that do not affect its slot.
  private var shift: UInt64 = 64 - 9
  private var isLooking = true
  private var trial = wholeTrial

  init() {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  deinit {
    places.deallocate()
    hashes.deallocate()
    for list in [lengths, prefixes, slots] { list.deallocate() }
  }

  /// Removes all texts.
  func removeAll() {
    guard seen > 0 else { return }
    slots.update(repeating: 0, count: slotCount)
    suffixes.removeAll()
    numbers.removeAll()
    cuts.removeAll()
    count = 0
    seen = 0
    trial = isLooking ? Self.wholeTrial : Self.shortTrial
    isLooking = true
  }

  /// Adds the text of an event.
  ///
  /// - Parameters:
  /// - text: The first byte. The memory must be readable up to a whole number of words, and the
  ///   text must stay in place until `removeAll`.
  /// - length: The length in bytes.
  /// - original: The length of the value in bytes, before it was cut.
  /// - last: The previous text of the same shape; replaced by this one.
  @inline(__always)
  func add(_ text: UnsafeRawPointer, length: UInt32, original: UInt32, after last: inout LastText) {
    if original != length { cuts.set(original &- length, at: seen) }
    if isLooking { find(text, length, last) } else { append(text, length, last) }
    seen &+= 1
    last = LastText(place: text, length: length)
  }

  /// Writes the text columns of a ring's events; nothing if there is no text.
  func write(to out: BlockBuffer, _ planes: PlaneEncoder, of ring: UInt32) {
    guard seen > 0 else { return }
    if !numbers.isZero { planes.append(Column.texts, numbers.base, count: seen, to: out) }
    if !cuts.isZero { planes.append(Column.cuts, cuts.base, count: seen, to: out) }
    planes.append(Column.textLengths, lengths, count: count, to: out)
    planes.append(Column.textPrefixes, prefixes, count: count, to: out)
    planes.append(Column.heap, text: suffixes.bytes, of: ring, to: out)
  }

  /// Adds a text that may be present already.
  @inline(never)
  private func find(_ text: UnsafeRawPointer, _ length: UInt32, _ last: LastText) {
    // Looking for repetition costs as much as all the rest together, so it stops for the rest of
    // the block once nine of ten texts are new.
    if seen > trial && count * 10 > seen * 9 {
      isLooking = false
      return appendFound(text, length, last)
    }
    if count * 2 == slotCount { grow() }
    let hash = Self.hash(text, Int(length))
    var slot = self.slot(of: hash)
    while slots[slot] != 0 {
      let number = slots[slot]
      if equals(text, length, hash, Int(number) - 1) { return numbers.set(number, at: seen) }
      slot = (slot + 1) & (slotCount - 1)
    }
    hashes[count] = hash
    places[count] = text
    appendFound(text, length, last)
    slots[slot] = UInt32(count)
  }

  /// Not inlined, so that the function that finds existing texts stays small.
  @inline(never)
  private func appendFound(_ text: UnsafeRawPointer, _ length: UInt32, _ last: LastText) {
    append(text, length, last)
  }

  @inline(__always)
  private func append(_ text: UnsafeRawPointer, _ length: UInt32, _ last: LastText) {
    let shared = Self.commonPrefix(text, length, last)
    let rest = Int(length) &- shared
    Self.copy(endOf: text, Int(length), to: suffixes.room(for: rest &+ 8), rest)
    suffixes.advance(by: rest)
    lengths[count] = length
    prefixes[count] = UInt32(truncatingIfNeeded: shared)
    count &+= 1
  }

  /// Returns the slot of a hash: its upper bits, which depend on the whole text.
  @inline(__always)
  private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> shift) }

  private func grow() {
    slots.deallocate()
    slotCount *= 2
    shift -= 1
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    for index in 0..<count {
      var slot = self.slot(of: hashes[index])
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  // MARK: - Word by word

  /// Copies the last `count` bytes of a text to a target that has room for a word more.
  @inline(__always)
  private static func copy(
    endOf text: UnsafeRawPointer, _ length: Int, to target: UnsafeMutableRawPointer, _ count: Int
  ) {
    guard count > 8 else {
      guard length > 0 else { return }
      // From the word that ends with the text, or from the only word.
      let start = max(length &- 8, 0)
      let word = text.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
      let before = UInt64(truncatingIfNeeded: (length &- count &- start) &* 8)
      target.storeBytes(of: (word &>> before).littleEndian, as: UInt64.self)
      return
    }
    let first = length &- count
    var offset = 0
    while offset &+ 8 < count {
      let word = text.loadUnaligned(fromByteOffset: first &+ offset, as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    // The last word overlaps the one before it.
    let word = text.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
    target.storeBytes(of: word, toByteOffset: count &- 8, as: UInt64.self)
  }

  /// Returns the length of the prefix that a text shares with the previous one, in bytes.
  @inline(__always)
  private static func commonPrefix(
    _ text: UnsafeRawPointer, _ length: UInt32, _ last: LastText
  ) -> Int {
    let most = Int(min(length, last.length))
    var shared = 0
    while shared < most {
      let difference =
        text.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
        ^ last.place.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
      if difference != 0 {
        return min(shared &+ difference.littleEndian.trailingZeroBitCount / 8, most)
      }
      shared &+= 8
    }
    return most
  }

  private func equals(
    _ text: UnsafeRawPointer, _ length: UInt32, _ hash: UInt64, _ index: Int
  ) -> Bool {
    guard hashes[index] == hash, lengths[index] == length else { return false }
    return memcmp(places[index], text, Int(length)) == 0
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

/// The text of a shape's previous event.
struct LastText {
  let place: UnsafeRawPointer
  /// 0 before the first event.
  let length: UInt32
}
