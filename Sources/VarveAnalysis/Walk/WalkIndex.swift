public import VarveFormat

/// The slots of keys, found by their hashes.
///
/// A table with linear probing that keeps 32 bits of each hash, so that growing it and removing from it
/// touch no key. Looking up in it takes a few nanoseconds, where a dictionary with its safe hash takes
/// twenty; analyses do that several times an event. A hash is the upper half of the sum of the key's words,
/// each multiplied by a factor that is drawn for the table, so that no file can be made in which many
/// keys collide (Dietzfelbinger and others, *A reliable randomized algorithm for the closest-pair
/// problem*, 1997).
@usableFromInline
package struct WalkIndex: Sendable {
  /// For each bucket, the hash in the upper half, the slot and one in the lower; 0 when it is empty.
  @usableFromInline var buckets: ContiguousArray<UInt64> = []
  @usableFromInline var count = 0
  /// The number of bits by which a hash is shifted to get its bucket.
  @usableFromInline var shift: UInt32 = 32
  @usableFromInline let factor = UInt64.random(in: 0 ... .max) | 1
  @usableFromInline let otherFactor = UInt64.random(in: 0 ... .max) | 1

  @usableFromInline static var fewestBuckets: Int { 16 }

  /// Creates an empty index.
  @usableFromInline
  init() {}

  /// The slots of all keys, in no order.
  @usableFromInline
  var slots: some Collection<Int> & Sendable {
    buckets.lazy.filter { $0 != 0 }.map { Int($0 & 0xffff_ffff) - 1 }
  }

  /// Returns the bucket of a key; nil when it has none.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - isKey: returns whether a slot is that of the key.
  @inlinable
  func find(_ key: some WalkKey, where isKey: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    let hash = product(key) >> 32
    var bucket = Int(hash >> UInt64(shift))
    while buckets[bucket] != 0 {
      if buckets[bucket] >> 32 == hash, isKey(slot(bucket)) { return bucket }
      bucket = next(bucket)
    }
    return nil
  }

  /// Returns a word whose upper half is the key's hash.
  @inlinable
  func product(_ key: some WalkKey) -> UInt64 {
    key.word &* factor &+ key.otherWord &* otherFactor
  }

  /// Returns the slot in a bucket that is not empty.
  @inlinable
  func slot(_ bucket: Int) -> Int { Int(buckets[bucket] & 0xffff_ffff) - 1 }

  @inlinable
  func next(_ bucket: Int) -> Int { (bucket &+ 1) & (buckets.count &- 1) }

  /// Adds the slot of a key that has none.
  @inlinable
  mutating func insert(_ key: some WalkKey, slot: Int) {
    if (count + 1) * 4 > buckets.count * 3 { grow() }
    add(product(key) & ~0xffff_ffff | UInt64(slot + 1))
    count += 1
  }

  @usableFromInline
  mutating func add(_ entry: UInt64) {
    var bucket = Int(entry >> UInt64(32 + shift))
    while buckets[bucket] != 0 { bucket = next(bucket) }
    buckets[bucket] = entry
  }

  @usableFromInline
  mutating func grow() {
    let old = buckets
    let wanted = max(old.count * 2, Self.fewestBuckets)
    buckets = ContiguousArray(repeating: 0, count: wanted)
    shift = 32 - UInt32(wanted.trailingZeroBitCount)
    for entry in old where entry != 0 { add(entry) }
  }

  /// Empties a bucket, and moves those after it up that were put there because it was taken.
  @inlinable
  mutating func remove(_ bucket: Int) {
    let mask = buckets.count &- 1
    var hole = bucket
    var other = next(bucket)
    while buckets[other] != 0 {
      let home = Int(buckets[other] >> UInt64(32 + shift))
      if (other &- home) & mask >= (other &- hole) & mask {
        buckets[hole] = buckets[other]
        hole = other
      }
      other = next(other)
    }
    buckets[hole] = 0
    count -= 1
  }
}

/// A key of a `WalkTable`.
@usableFromInline
package protocol WalkKey: Equatable, Sendable {
  /// The key's words: different keys have different ones.
  var word: UInt64 { get }
  /// See `word`.
  var otherWord: UInt64 { get }
}

extension WalkKey {
  /// 0: one word is enough.
  @inlinable package var otherWord: UInt64 { 0 }
}

extension UInt64: WalkKey {
  /// The number.
  @inlinable package var word: UInt64 { self }
}

extension UInt32: WalkKey {
  /// The number.
  @inlinable package var word: UInt64 { UInt64(self) }
}

extension EventName: WalkKey {
  /// Its ordinal.
  @inlinable package var word: UInt64 { sequence }
  /// Its thread.
  @inlinable package var otherWord: UInt64 { UInt64(ring) }
}
