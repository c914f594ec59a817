internal import VarvePlatform

/// The texts of the block that is being encoded.
///
/// Each different text is kept once, as long as that pays. Of a new one only that part is kept which
/// its beginning does not share with the text before it in the same shape: a program's lines mostly
/// differ in a number at the end.
///
/// Texts stay where the records hold them, which lie still until the block is written.
final class BlockTextTable {
  /// After so many texts the table decides whether they repeat.
  private static let wholeTrial = 1_024
  /// The same after a block in which they did not.
  private static let shortTrial = 256

  /// What of the different texts is written.
  let suffixes = BlockBuffer(capacity: 4_096)
  /// How many different texts there are.
  private(set) var count = 0

  /// How many texts there are in all.
  private var seen = 0
  // For as many texts as a block has events: nobody asks whether there is room for one more.
  /// Of each text the number of the one that it repeats; 0 for a new one.
  private let numbers = SparseNumbers<UInt32>(capacity: most)
  /// How many bytes of it were left out.
  private let cuts = SparseNumbers<UInt32>(capacity: most)
  private let lengths = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  private let prefixes = UnsafeMutablePointer<UInt32>.allocate(capacity: most)
  /// Where the different texts lie, as long as repetition is looked for.
  private let places = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: most)
  /// And their hashes.
  private let hashes = UnsafeMutablePointer<UInt64>.allocate(capacity: most)
  private static let most = TraceLimits.eventsWritten
  /// A text's number from 1, or 0 for a free slot. At least twice as many as texts are looked for.
  private var slots: UnsafeMutablePointer<UInt32>
  private var slotCount = 512
  /// So many bits of a hash do not count for its slot.
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

  /// Forgets all texts.
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
  ///   - text: its first byte. What follows it up to a whole number of words can be read, too. It
  ///     stays there until `removeAll`.
  ///   - length: how many bytes it has.
  ///   - original: the bytes that the value had.
  ///   - last: the text before it in the same shape; becomes this one.
  @inline(__always)
  func add(_ text: UnsafeRawPointer, length: UInt32, original: UInt32, after last: inout LastText) {
    if original != length { cuts.set(original &- length, at: seen) }
    if isLooking { find(text, length, last) } else { append(text, length, last) }
    seen &+= 1
    last = LastText(place: text, length: length)
  }

  /// Writes the columns of text of a ring's events; nothing if there is none.
  func write(to out: BlockBuffer, _ planes: PlaneEncoder, of ring: UInt32) {
    guard seen > 0 else { return }
    if !numbers.isZero { planes.append(Column.texts, numbers.base, count: seen, to: out) }
    if !cuts.isZero { planes.append(Column.cuts, cuts.base, count: seen, to: out) }
    planes.append(Column.textLengths, lengths, count: count, to: out)
    planes.append(Column.textPrefixes, prefixes, count: count, to: out)
    planes.append(Column.heap, text: suffixes.bytes, of: ring, to: out)
  }

  /// Adds a text that may be there already.
  @inline(never)
  private func find(_ text: UnsafeRawPointer, _ length: UInt32, _ last: LastText) {
    // Looking for repetition costs as much as all else together; where nine of ten texts are new,
    // the rest of the block is taken as it comes.
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

  /// Not inlined: what is there already is found by a small function.
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
      var slot = self.slot(of: hashes[index])
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  // MARK: - In words

  /// Copies the last bytes of a text to where there is room for a word more.
  @inline(__always)
  private static func copy(
    endOf text: UnsafeRawPointer, _ length: Int, to target: UnsafeMutableRawPointer, _ count: Int
  ) {
    guard count > 8 else {
      guard length > 0 else { return }
      // From a word that ends where the text does, or from the only one.
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

  /// How many bytes a text shares with the one before it at its beginning.
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

/// The text of a shape's event before the present one.
struct LastText {
  let place: UnsafeRawPointer
  /// 0 before the first.
  let length: UInt32
}
