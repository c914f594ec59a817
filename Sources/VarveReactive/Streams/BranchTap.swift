internal import CVarveSystem
internal import VarveProbe

/// Stands in front of one of several observers of a signal while somebody wants to hear why values
/// are swallowed.
///
/// The tap in front of the signal sees whether any of them has passed a value on; this one sees it of
/// each. It is put in and taken out as taps are.
final class BranchTap<Value, Failure: Error>: Observer<Value, Failure> {
  /// The observer, as `Link` holds it: the edge owns both.
  private let observer: UInt
  private let gate: UInt32

  init(_ observer: Observer<Value, Failure>, gate: UInt32) {
    self.observer = Link.word(observer)
    self.gate = gate
  }

  override func receive(_ value: Value) {
    let writer = Records.writer
    let recorded = writer.pointee.sequence
    Link.deliver(value, to: observer, Observer<Value, Failure>.self)
    guard writer.pointee.sequence == recorded else { return }
    // Causes that were recalled for a stream that nobody records belong to no later record.
    vv_cause_drop_far(writer)
    Records.absorbed(by: Link.observer(at: observer), gate: gate)
  }
}
