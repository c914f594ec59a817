internal import VarvePlatform

/// A test of a text that is given in UTF-8.
///
/// Most texts are ASCII, and so are most patterns: these are compared byte by byte, which gives the same
/// result. Others are decoded, but the same text only once in a block.
struct TextTest {
  private let comparison: Condition.Comparison
  /// The text to compare with; nil if that is no text.
  private let wanted: String?
  private let pattern: NamePattern?
  /// What decides about texts of ASCII characters alone; nil if they are decoded, too.
  let glob: ASCIIGlob?

  init(
    _ comparison: Condition.Comparison, _ literal: Condition.Literal, _ pattern: NamePattern?
  ) {
    self.comparison = comparison
    if case .text(let wanted) = literal { self.wanted = wanted } else { wanted = nil }
    self.pattern = pattern
    glob = wanted == nil ? nil : pattern?.ascii
  }

  /// Returns whether a text passes.
  func holds(_ text: UnsafeBufferPointer<UInt8>, _ known: inout TextMemo) -> Bool {
    guard wanted != nil else { return comparison == .unequal }
    return known.result(for: text) { decoded($0) }
  }

  private func decoded(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    return pattern?.matches(text) ?? comparison.holds(text, wanted ?? "")
  }
}

/// The results for texts of a block, most of which are there several times.
struct TextMemo {
  private struct Known {
    var text: UnsafeBufferPointer<UInt8>
    var result: Bool
  }

  /// The last text with each hash.
  private var known: [Known?] = []

  private static let places = 1_024

  /// Returns the result for a text, which stays in place.
  mutating func result(
    for text: UnsafeBufferPointer<UInt8>, _ find: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    if known.isEmpty { known = Array(repeating: nil, count: Self.places) }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let place = Int(hash >> 32) % Self.places
    if let last = known[place], last.text.count == text.count,
      text.isEmpty || memcmp(last.text.baseAddress!, text.baseAddress!, text.count) == 0
    {
      return last.result
    }
    let result = find(text)
    known[place] = Known(text: text, result: result)
    return result
  }
}
