/// A digest of a stream's deliveries so far, in 128 bits.
///
/// Two different sequences have the same digest with a probability of about 2⁻¹²⁸; sequences that
/// differ only in the word of one delivery never do. This holds for recorded traces. It is possible
/// to construct two sequences with the same digest, but that would deceive only their author.
///
/// Each half takes in a delivery by an invertible step, so that neither forgets earlier ones. They
/// take in different things: one the folded product of the word and the tag, each bit of which
/// depends on all of theirs, and the other the word itself.
struct DeliveryDigest: Equatable {
  private var folded: UInt64 = 0x2545_f491_4f6c_dd1d
  private var plain: UInt64 = 0xda94_2042_e4dd_58b5

  // Odd numbers without a pattern: fractional digits of π.
  private static let pi1: UInt64 = 0x243f_6a88_85a3_08d3
  private static let pi2: UInt64 = 0x1319_8a2e_0370_7345
  private static let pi3: UInt64 = 0xa409_3822_299f_31d1
  private static let pi4: UInt64 = 0x082e_fa98_ec4e_6c89
  /// Replaces the tag for the words of a text.
  private static let textTag: UInt64 = 1 << 63

  /// Takes in a delivery: its kind, its payload's form, word and text.
  mutating func add(_ columns: ColumnPointers, _ index: Int) {
    let text = columns.text(index)
    // The length precedes the text, so that a text cannot run into what follows it.
    let tag =
      UInt64(columns.kinds[index]) | UInt64(columns.payloadKinds[index]) << 8
      | UInt64(text.count) << 16
    add(columns.words[index], tag)
    if !text.isEmpty { add(text) }
  }

  private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(text)
    let whole = bytes.count & ~7
    for start in stride(from: 0, to: whole, by: 8) {
      add(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self), Self.textTag)
    }
    guard whole < bytes.count else { return }
    add(bytes[whole...].reduce(0) { $0 << 8 | UInt64($1) }, Self.textTag)
  }

  private mutating func add(_ word: UInt64, _ tag: UInt64) {
    let product = (word ^ Self.pi1).multipliedFullWidth(by: tag ^ Self.pi2)
    let mixed = (product.high ^ product.low) &+ tag
    folded = Self.turned(folded ^ mixed) &* Self.pi3
    plain = Self.turned(plain &+ (word ^ tag &* Self.pi3)) &* Self.pi4
  }

  /// Moves the upper bits down, because a multiplication carries only upwards.
  private static func turned(_ half: UInt64) -> UInt64 { half &<< 29 | half &>> 35 }
}
