internal import CVarveSystem
internal import VarveProbe

/// Where the values came from that an operator gathers into one.
///
/// `Held` is for operators that put values aside and deliver each; this is for those of whose values
/// nothing is left but a result. It keeps as many as a record has room to name: the newest.
struct Provenance {
  private var references: [UInt64] = []
  private var oldest = 0

  /// Notes where the value comes from that is being delivered.
  @inline(__always)
  mutating func note() {
    if Gate.isOpen { noteCurrent() }
  }

  /// Forgets the values before, and notes where the one comes from that is being delivered.
  @inline(__always)
  mutating func restart() {
    if !references.isEmpty { forget() }
    note()
  }

  /// Lets the next record of this thread name where the values came from, and forgets it.
  @inline(__always)
  mutating func recall() {
    if !references.isEmpty { nameAll() }
  }

  @inline(never)
  private mutating func noteCurrent() {
    let writer = Records.writer
    let current = vv_cause_reference(writer)
    guard current != 0 else { return }
    if references.count < Int(VV_FAR_LARGEST) {
      references.append(current)
    } else {
      references[oldest] = current
      oldest = (oldest + 1) % Int(VV_FAR_LARGEST)
    }
  }

  @inline(never)
  private mutating func nameAll() {
    let writer = Records.writer
    let current = vv_cause_reference(writer)
    for reference in references[oldest...] + references[..<oldest] where reference != current {
      vv_cause_add_far(writer, reference)
    }
    forget()
  }

  private mutating func forget() {
    references.removeAll(keepingCapacity: true)
    oldest = 0
  }
}
