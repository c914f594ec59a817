internal import CVarveSystem
internal import VarveProbe

/// Where the values came from that an operator gathers into one.
///
/// `Held` is for operators that put values aside and deliver each; this is for those of whose values
/// nothing is left but a result. It keeps as many as a record has room to name: the newest. Of an
/// older one is told at once that it went into a result which will not name it.
final class CauseList {
  private var causes: [UInt64] = []
  private var oldest = 0
  private var firstHasLed = false

  /// Notes that the value at hand goes into the result.
  ///
  /// - Parameter hasLed: whether it led to something by itself: to the result before.
  @inline(__always)
  func add(_ account: @autoclosure () -> InputAccount?, hasLed: Bool = false) {
    if Gate.isOpen { addCurrent(account(), hasLed) }
  }

  /// Lets the next record of this thread name where the values came from, and forgets it.
  @inline(__always)
  func recall() {
    if Gate.isOpen { nameAll() }
  }

  /// The values go no further, because the stream ends without a result.
  func discard(_ account: @autoclosure () -> InputAccount?) {
    guard !causes.isEmpty else { return }
    let account = account()
    for cause in takeAll().dropFirst(firstHasLed ? 1 : 0) { account?.swallow(from: cause, .ended) }
  }

  @inline(never)
  private func addCurrent(_ account: InputAccount?, _ hasLed: Bool) {
    let current = Records.currentCause
    guard current != 0 else { return }
    if causes.isEmpty { firstHasLed = hasLed }
    if causes.count < Int(VV_FAR_LARGEST) {
      causes.append(current)
    } else {
      if firstHasLed {
        firstHasLed = false
      } else {
        account?.swallow(from: causes[oldest], .gathered)
      }
      causes[oldest] = current
      oldest = (oldest + 1) % causes.count
    }
  }

  @inline(never)
  private func nameAll() {
    for cause in takeAll() { Records.recall(cause) }
  }

  private func takeAll() -> [UInt64] {
    defer {
      causes.removeAll(keepingCapacity: true)
      oldest = 0
    }
    return Array(causes[oldest...] + causes[..<oldest])
  }
}
