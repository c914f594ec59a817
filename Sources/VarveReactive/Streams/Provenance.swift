internal import CVarveSystem
internal import VarveProbe

/// Where the values came from that an operator gathers into one.
///
/// `Held` is for operators that put values aside and deliver each; this is for those of whose values
/// nothing is left but a result. It keeps as many as a record has room to name: the newest.
final class Provenance {
  private var causes: [UInt64] = []
  private var oldest = 0

  /// Notes where the value comes from that is being delivered.
  @inline(__always)
  func note() {
    if Gate.isOpen { noteCurrent() }
  }

  /// Lets the next record of this thread name where the values came from, and forgets it.
  @inline(__always)
  func recall() {
    if Gate.isOpen { nameAll() }
  }

  @inline(never)
  private func noteCurrent() {
    let current = Records.currentCause
    guard current != 0 else { return }
    if causes.count < Int(VV_FAR_LARGEST) {
      causes.append(current)
    } else {
      causes[oldest] = current
      oldest = (oldest + 1) % causes.count
    }
  }

  @inline(never)
  private func nameAll() {
    for cause in causes[oldest...] + causes[..<oldest] { Records.recall(cause) }
    causes.removeAll(keepingCapacity: true)
    oldest = 0
  }
}
