internal import VarveProbe

/// Tells records about schedulers from those about streams.
enum Hops {
  @inline(__always)
  static func contains(_ kind: UInt8) -> Bool {
    kind >= RecordKind.hopScheduled.rawValue && kind <= RecordKind.hopCancelled.rawValue
  }
}
