internal import VarveFormat
internal import VarveProbe

/// The events that rules ask for. It is used by several threads at once: what it looks up does not
/// change while they read.
struct AskedEvents: Sendable {
  /// For each kind of event, a bit for each rule that asks for it.
  private var ofKind = [UInt64](repeating: 0, count: 256)
  /// A bit for each rule that asks for all streams.
  private var ofAll: UInt64 = 0
  /// For each stream, a bit for each rule that asks for it.
  private var ofStream: [UInt64] = []

  /// The number of streams that are kept apart.
  private static let mostStreams: UInt32 = 1 << 20

  /// Adds what a rule asks for.
  mutating func add(_ bit: UInt64, _ rule: any FindingRule) {
    for kind in rule.kinds { ofKind[Int(kind.rawValue)] |= bit }
    guard let streams = rule.streams else {
      ofAll |= bit
      return
    }
    for kind in rule.kinds where kind.isHop { ofAll |= bit }
    for stream in streams {
      // A damaged file may name any number.
      guard stream < Self.mostStreams else {
        ofAll |= bit
        continue
      }
      let missing = Int(stream) + 1 - ofStream.count
      if missing > 0 { ofStream += [UInt64](repeating: 0, count: missing) }
      ofStream[Int(stream)] |= bit
    }
  }

  /// Returns whether any rule asks for events of a kind.
  func asks(for kind: RecordKind) -> Bool { ofKind[Int(kind.rawValue)] != 0 }

  /// Returns a bit for each rule that asks for an event.
  @inline(__always)
  func rules(_ kind: UInt8, _ stream: UInt32) -> UInt64 {
    let chosen = Int(stream) < ofStream.count ? ofStream[Int(stream)] : 0
    return ofKind[Int(kind)] & (ofAll | chosen)
  }

  /// Selects the events of a block that any rule asks for.
  ///
  /// - Parameter isWhole: whether that is to be decided of all events, and not of those selected.
  func select(from batch: EventBatch, isWhole: Bool) {
    if isWhole { batch.selected = Array(0..<UInt32(batch.columns.count)) }
    batch.sift { rows, columns in
      rows.removeAll { rules(columns.kinds[Int($0)], columns.streams[Int($0)]) == 0 }
    }
  }
}
