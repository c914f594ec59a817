/// Writes addresses as their process had them.
enum AddressText {
  /// The bits of an address that processors use. In a merged trace, those above tell processes apart.
  private static let bits: UInt64 = 1 << 48 - 1

  /// Returns `0x7f68b44f9361`.
  static func of(_ address: UInt64) -> String { "0x" + String(address & bits, radix: 16) }
}
