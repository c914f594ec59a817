/// A table by the numbers of streams, schedulers or threads.
///
/// Most of them are small: these are places in an array, which are found without a hash.
struct NumberTable<Value> {
  private var small: [Value?] = []
  private var others: [UInt32: Value] = [:]
  /// The number of values.
  private(set) var count = 0

  private static var mostSmall: UInt32 { 1 << 12 }

  init() {}

  init(_ values: some Sequence<(UInt32, Value)>) {
    for (number, value) in values { self[number] = value }
  }

  @inline(__always)
  subscript(number: UInt32) -> Value? {
    get { number < UInt32(small.count) ? small[Int(number)] : others[number] }
    set {
      if number < UInt32(small.count) {
        count += (newValue == nil ? 0 : 1) - (small[Int(number)] == nil ? 0 : 1)
        small[Int(number)] = newValue
      } else {
        set(newValue, for: number)
      }
    }
  }

  @inline(never)
  private mutating func set(_ value: Value?, for number: UInt32) {
    guard number < Self.mostSmall else {
      count += (value == nil ? 0 : 1) - (others[number] == nil ? 0 : 1)
      others[number] = value
      return
    }
    small += Array(repeating: nil, count: Int(number) + 1 - small.count)
    count += value == nil ? 0 : 1
    small[Int(number)] = value
  }
}
