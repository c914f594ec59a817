internal import VarvePlatform

/// The first words of each shape: they decide in which form all words of the shape are written.
///
/// A counter is best told by its differences, a switch or a die by its values: a difference of two
/// of those has more values than they have themselves.
final class WordSamples {
  /// So many words of a shape are looked at.
  static let each: UInt32 = 16
  /// Shapes beyond these are taken for counters.
  private static let mostShapes = 256

  private let words: UnsafeMutablePointer<UInt64>

  init() { words = .allocate(capacity: Self.mostShapes * Int(Self.each)) }

  deinit { words.deallocate() }

  /// Notes word `index`, below `each`, of a shape.
  func note(_ word: UInt64, shape: Int, index: UInt32) {
    guard shape < Self.mostShapes else { return }
    words[shape * Int(Self.each) + Int(index)] = word
  }

  /// The form that suits a shape of which `count` words were noted.
  func form(of shape: Int, count: UInt32) -> UInt8 {
    guard shape < Self.mostShapes, count > 2 else { return WordForm.difference }
    let words = UnsafeBufferPointer(
      start: words + shape * Int(Self.each), count: Int(min(count, Self.each)))
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words.count) { differences in
      differences[0] = 0
      for index in 1..<words.count {
        differences[index] = zigzag(words[index] &- words[index - 1])
      }
      let plain = UnsafeBufferPointer(rebasing: words[1...])
      let steps = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(differences)[1...])
      return Self.cost(plain) < Self.cost(steps) ? WordForm.plain : WordForm.difference
    }
  }

  /// About how many bits a word takes: their entropy as far as some are equal, else their width.
  private static func cost(_ words: UnsafeBufferPointer<UInt64>) -> Float {
    var equal = 0
    var width = 0
    for index in words.indices {
      width += 64 - words[index].leadingZeroBitCount
      for other in index + 1..<words.count where words[index] == words[other] { equal += 1 }
    }
    let count = Float(words.count)
    let entropy = log2(count * count / (count + 2 * Float(equal)))
    return equal * 8 > words.count ? entropy : max(entropy, Float(width) / count)
  }
}
