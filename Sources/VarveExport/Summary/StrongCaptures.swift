internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Finds the closure that holds an object, in the source of a chain of operators: a trace tells which
/// observations stay, and not what their closures capture.
struct StrongCaptures {
  private var sources = SourceLines()

  /// Returns the place whose closure uses `self` and does not hold it weakly.
  ///
  /// - Parameter places: the observation's place, and those of the operators above it.
  /// - Returns: the place; nil if the closure of the observation itself holds `self`, if no other or
  ///   several do, or if the source is not there.
  mutating func holder(among places: [Place]) -> Place? {
    guard let observation = places.first, !captures(observation) else { return nil }
    let holders = Set(places.dropFirst()).filter { captures($0) }
    return holders.count == 1 ? holders.first : nil
  }

  private mutating func captures(_ place: Place) -> Bool {
    guard let lines = sources.lines(of: place.file), place.line > 0, place.line <= lines.count
    else { return false }
    let words = Self.call(lines[(Int(place.line) - 1)...]).split {
      !$0.isLetter && !$0.isNumber && $0 != "_"
    }
    guard words.contains("self") else { return false }
    return !zip(words, words.dropFirst()).contains {
      ["weak", "unowned"].contains($0) && $1 == "self"
    }
  }

  /// Returns a line, and those that follow while its brackets are open.
  private static func call(_ lines: ArraySlice<Substring>) -> String {
    var (text, depth) = ("", 0)
    for line in lines.prefix(mostLines) {
      var isString = false
      var last: Character = " "
      for character in line {
        if character == "/", last == "/", !isString { break }
        text.append(character)
        switch character {
        case "\"": if last != "\\" { isString.toggle() }
        case "{", "(", "[": depth += isString ? 0 : 1
        case "}", ")", "]": depth -= isString ? 0 : 1
        default: break
        }
        last = character
      }
      text.append("\n")
      if depth <= 0 { break }
    }
    return text
  }

  /// The maximum number of lines of one closure.
  private static let mostLines = 100
}
