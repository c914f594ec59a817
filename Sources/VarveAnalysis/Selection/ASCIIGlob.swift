/// A pattern of ASCII characters, in which `*` matches any characters and `?` any single one, for texts
/// of ASCII characters: there, each byte is a character.
struct ASCIIGlob {
  private let pattern: [UInt8]

  private static let any = UInt8(ascii: "?")
  private static let anyMany = UInt8(ascii: "*")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Creates a pattern; nil if it has other characters.
  init?(_ pattern: String) {
    // A line feed after a carriage return belongs to its character.
    guard pattern.utf8.allSatisfy({ $0 < 0x80 && $0 != Self.carriageReturn }) else { return nil }
    self.pattern = Array(pattern.utf8)
  }

  /// Returns whether the pattern matches the whole of a text; nil if that has other characters.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard text.allSatisfy({ $0 < 0x80 && $0 != Self.carriageReturn }) else { return nil }
    return pattern.withUnsafeBufferPointer { Self.matches($0, text) }
  }

  private static func matches(
    _ pattern: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var step = 0
    var place = 0
    // Where to resume when what follows the last star does not match: one character later.
    var retry: (step: Int, place: Int)?
    while place < text.count {
      if step < pattern.count, pattern[step] == anyMany {
        step += 1
        retry = (step, place)
      } else if step < pattern.count, pattern[step] == any || pattern[step] == text[place] {
        step += 1
        place += 1
      } else if let last = retry {
        (step, place) = (last.step, last.place + 1)
        retry = (step, place)
      } else {
        return false
      }
    }
    return pattern[step...].allSatisfy { $0 == anyMany }
  }
}
