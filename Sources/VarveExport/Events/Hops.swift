internal import VarveProbe

/// Distinguishes records about schedulers from records about streams.
enum Hops {
  @inline(__always)
  static func contains(_ kind: UInt8) -> Bool {
    kind >= RecordKind.hopScheduled.rawValue && kind <= RecordKind.hopCancelled.rawValue
  }
}
