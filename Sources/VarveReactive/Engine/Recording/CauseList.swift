internal import CVarveSystem
internal import VarveProbe

/// The causes of the values that an operator gathers into one.
///
/// `Held` is for operators that put values aside and deliver each of them; this list is for
/// operators that keep nothing of the values but a result. It keeps the newest causes, as many as a
/// record has room to name. An older one is recorded at once as having gone into a result that will
/// not name it.
final class CauseList {
  private var causes: [UInt64] = []
  private var oldest = 0
  private var firstHasLed = false

  /// Notes that the current value goes into the result.
  ///
  /// - Parameter hasLed: whether the value has already led to something by itself: the previous
  ///   result.
  @inline(__always)
  func add(_ account: @autoclosure () -> InputAccount?, hasLed: Bool = false) {
    if Gate.isOpen { addCurrent(account(), hasLed) }
  }

  /// Lets this thread's next record name the causes, and forgets them.
  @inline(__always)
  func recall() {
    if Gate.isOpen { nameAll() }
  }

  /// Records that the values go no further, because the stream ends without a result.
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
