/// A pattern for the names of streams: `*` stands for any characters, `?` for one, and every other
/// character for itself, brackets too, which names are full of.
public struct NameGlob: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private enum Step: Sendable, Hashable {
    case exactly(Character)
    case any
    case anyMany
  }

  /// The pattern as it was given.
  public let description: String
  private let steps: [Step]

  /// Creates a pattern.
  public init(_ pattern: String) {
    description = pattern
    steps = pattern.map { character in
      switch character {
      case "*": .anyMany
      case "?": .any
      default: .exactly(character)
      }
    }
  }

  /// Creates a pattern from a literal.
  public init(stringLiteral pattern: String) { self.init(pattern) }

  /// Whether the whole of a name is as the pattern says.
  ///
  /// - Complexity: the name's length times the pattern's, at worst.
  public func matches(_ name: String) -> Bool {
    let name = Array(name)
    var step = 0
    var place = 0
    // Where to go on when what follows the last star does not fit: one character later.
    var retry: (step: Int, place: Int)?
    while place < name.count {
      if step < steps.count, steps[step] == .anyMany {
        retry = (step, place)
        step += 1
      } else if step < steps.count, steps[step] == .any || steps[step] == .exactly(name[place]) {
        step += 1
        place += 1
      } else if let last = retry {
        retry = (last.step, last.place + 1)
        step = last.step + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return steps[step...].allSatisfy { $0 == .anyMany }
  }
}
