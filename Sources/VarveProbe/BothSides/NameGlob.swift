/// A pattern for the names of streams. `*` matches any characters and `?` any single one; every
/// other character matches itself, including brackets, which are common in names.
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

  /// Returns whether the pattern matches the whole of a name.
  ///
  /// - Complexity: O(*n* · *m*) at worst, where *n* is the length of the name and *m* that of the
  ///   pattern.
  public func matches(_ name: String) -> Bool {
    let name = Array(name)
    var step = 0
    var place = 0
    // Where to resume when what follows the last star does not match: one character later.
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
