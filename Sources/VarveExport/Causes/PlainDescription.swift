/// Descriptions of values without what the language adds to every one of them: the modules of types
/// and the cases of optionals.
enum PlainDescription {
  /// Returns whether a description may name a module or an optional. Most do not, and are not looked
  /// at more closely.
  static func mayShorten(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var last: UInt8 = 0
    for byte in text {
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if last == UInt8(ascii: "."), isCapital || byte >= 0x80 { return true }
      if last == UInt8(ascii: "O"), byte == UInt8(ascii: "p") { return true }
      last = byte
    }
    return false
  }

  /// Returns `Price(cents: 5, of: "Shop.Tea")` for `Optional(Shop.Price(cents: 5, of: "Shop.Tea"))`.
  static func of(_ text: String) -> String {
    var plain = ""
    var word = ""
    var isQuoted = false
    var isEscaped = false
    // For each open parenthesis, whether it belongs to an optional.
    var isOfOptional: [Bool] = []
    for character in text {
      if isQuoted {
        plain.append(character)
        isQuoted = isEscaped || character != "\""
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      if character == ".", isModule(word) {
        // A module stands before a type: before what begins with a capital.
        word.append(character)
        continue
      }
      plain += type(word)
      switch character {
      case "(":
        let isOptional = word == "Optional" || word == "Swift.Optional"
        if isOptional { plain.removeLast("Optional".count) } else { plain.append(character) }
        isOfOptional.append(isOptional)
      case ")": if isOfOptional.popLast() != true { plain.append(character) }
      default: plain.append(character)
      }
      isQuoted = character == "\""
      word = ""
    }
    return plain + type(word)
  }

  private static func isModule(_ word: String) -> Bool {
    word.split(separator: ".").last?.first?.isUppercase == true
  }

  /// Returns `Price` for `Shop.Price`; `Kind.small` is left as it is.
  private static func type(_ word: String) -> String {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().drop { $0.first?.isUppercase != true }
    guard parts.count > 1, rest.count == parts.count - 1 else { return word }
    return rest.joined(separator: ".")
  }
}
