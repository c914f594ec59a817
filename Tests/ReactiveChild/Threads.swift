import Dispatch
import VarveReactive

/// Where two threads wait for each other.
final class Meeting: Sendable {
  private let arrivals = MutableProperty(0)
  private let gate = DispatchSemaphore(value: 0)

  /// Returns when both have come.
  func wait() {
    if arrivals.modify({
      $0 += 1
      return $0
    }) == 2 {
      gate.signal()
      gate.signal()
    }
    gate.wait()
  }
}

/// Runs both at once and returns when both have returned.
func onTwoThreads(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void)
{
  let group = DispatchGroup()
  for body in [first, second] {
    DispatchQueue.global().async(group: group) { body() }
  }
  group.wait()
}

/// Something kept from one closure for another.
final class Kept<Value: Sendable>: Sendable {
  private let content = MutableProperty<Value?>(nil)

  var kept: Value? { content.value }
  func keep(_ value: Value) { content.value = value }
}
