/// Numbers of which any amount may come: it keeps the first few thousand, or fewer where there are many
/// samples at once, and of more, as many that were chosen by chance.
///
/// It owns plain memory: one question may have ten thousand samples of a thousand numbers each.
struct NumberSample: ~Copyable {
  /// How many came.
  private(set) var count = 0
  /// The least and the greatest of all that came.
  private(set) var least = Double.infinity
  private(set) var greatest = -Double.infinity
  private var memory: UnsafeMutablePointer<Double>?
  private var capacity = 0
  private let most: Int
  private var seed: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// The numbers that all samples of an answer keep, and the bounds of what one of them does.
  private static let mostOfAll = 2 << 20
  private static let bounds = 128...8_192
  private static let fewest = 8

  /// An empty one, beside others.
  init(oneOf samples: Int) {
    most = min(
      max(Self.mostOfAll / max(samples, 1), Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  deinit { memory?.deallocate() }

  /// Those that are kept.
  var kept: [Double] {
    Array(UnsafeBufferPointer(start: memory, count: min(count, capacity)))
  }

  @inline(__always)
  mutating func add(_ number: Double) {
    count &+= 1
    if number < least { least = number }
    if number > greatest { greatest = number }
    if count > capacity {
      guard capacity < most else { return replace(number) }
      grow()
    }
    memory.unsafelyUnwrapped[count &- 1] = number
  }

  /// Keeps a number in place of another, or not.
  @inline(__always)
  private mutating func replace(_ number: Double) {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    // A place among all numbers, without a division.
    let place = Int((seed >> 32).multipliedFullWidth(by: UInt64(count) << 32).high)
    if place < most { memory.unsafelyUnwrapped[place] = number }
  }

  @inline(never)
  private mutating func grow() {
    let next = min(max(capacity * 4, Self.fewest), most)
    let larger = UnsafeMutablePointer<Double>.allocate(capacity: next)
    if let memory {
      larger.initialize(from: memory, count: capacity)
      memory.deallocate()
    }
    (memory, capacity) = (larger, next)
  }
}
