import Varve

/// A value that carries the numbers of all source values that it was made of: what a trace says of
/// its causes can be compared with it.
struct Lineage: TraceValue, Sendable {
  let numbers: Set<Int>
  /// How many more turns a recursion takes with it.
  var turns = 0

  init(_ numbers: Set<Int>, turns: Int = 0) {
    self.numbers = numbers
    self.turns = turns
  }

  /// What is made of this and another.
  func with(_ other: Lineage) -> Lineage { Lineage(numbers.union(other.numbers)) }

  /// `from 1,7,12`.
  var tracePayload: TracePayload {
    .string("from " + numbers.sorted().map { String($0) }.joined(separator: ","))
  }
}
