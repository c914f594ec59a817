internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// Looks out for what has a snapshot made. On the drain thread, but for `begin` and `end` the same.
final class SnapshotWatch {
  private let failures: [NameGlob]
  private var absorptions: Set<UInt8>
  private let signals: [Int32]
  private let trace: String
  /// Whether somebody wants a snapshot: a signal, or orders from outside.
  private var isAsked = false
  /// Whether what streams did is to have one made.
  private var isTriggered = false
  private var made = 0
  private var madeByStreams = 0
  /// Whether people know that what streams do has no more of them made.
  private var hasTold = false
  private var latest: UInt64 = 0

  /// Streams may fail for ever, and each snapshot takes its place on the disk. Who asks knows how
  /// often.
  private static let mostByStreams = 8
  private static let pause: UInt64 = 1_000_000_000

  init(_ triggers: Set<Recorder.Trigger>, besides path: String) {
    trace = path
    var failures: [NameGlob] = []
    var absorptions: Set<UInt8> = []
    var signals: [Int32] = []
    for trigger in triggers {
      switch trigger {
      case .failure(let pattern): failures.append(pattern)
      case .absorption(let reason): absorptions.insert(reason.rawValue)
      case .signal(let number): signals.append(number)
      }
    }
    self.failures = failures
    self.absorptions = absorptions
    self.signals = signals
  }

  /// Whether records are to be looked at soon after they were made.
  var looksAtRecords: Bool { !hasTold && !(failures.isEmpty && absorptions.isEmpty) }

  /// Which streams' failures count has to be known before any is defined.
  func begin() {
    DefinitionStore.shared.watch(for: failures)
    for signal in signals where !vv_attention_watch(signal) {
      StandardError.note("signal \(signal) cannot be caught: it makes no snapshots")
    }
  }

  func end() {
    DefinitionStore.shared.watch(for: [])
    if !signals.isEmpty { vv_attention_unwatch() }
  }

  /// Looks at records that were just written.
  func look(at records: UnsafeRawBufferPointer) {
    guard looksAtRecords, !isTriggered else { return }
    let kinds = RecordKind.failed.bit | RecordKind.absorbed.bit
    var offset = 0
    while true {
      let start = records.baseAddress! + offset
      let passed = vv_records_find(start, UInt64(records.count - offset), kinds)
      offset += Int(passed)
      guard offset < records.count else { return }
      let record = UnsafeRawBufferPointer(rebasing: records[offset...])
      if isTrigger(record) {
        isTriggered = true
        return
      }
      offset += Int(record[0]) * 8
    }
  }

  private func isTrigger(_ record: UnsafeRawBufferPointer) -> Bool {
    if record[1] == RecordKind.failed.rawValue {
      let stream = record.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      return DefinitionStore.shared.isWatched(stream)
    }
    // A damaged record may be shorter than one of its kind.
    guard Int(record[0]) * 8 >= 40 else { return false }
    let reason = record.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    return absorptions.remove(UInt8(truncatingIfNeeded: reason)) != nil
  }

  /// Asks for a snapshot.
  func ask() { isAsked = true }

  /// Where a snapshot goes that is due now; nil when none is. What was asked for several times since
  /// the last one is one snapshot.
  func takeDue(now: UInt64) -> String? {
    if !signals.isEmpty, vv_attention_take() { isAsked = true }
    guard isAsked || isTriggered, made == 0 || now - latest >= Self.pause else { return nil }
    guard isAsked || madeByStreams < Self.mostByStreams else {
      refuse()
      return nil
    }
    if isTriggered { madeByStreams += 1 }
    isAsked = false
    isTriggered = false
    made += 1
    latest = now
    return TracePath.unused(trace, "snapshot-", from: made)
  }

  /// Leaves a snapshot out, and does not look for reasons to make one any more.
  private func refuse() {
    isTriggered = false
    guard !hasTold else { return }
    hasTold = true
    StandardError.note(
      "what streams did has had \(Self.mostByStreams) snapshots of \(trace) made, and has no more "
        + "made in this recording; signals and varve control do")
  }
}

extension RecordKind {
  fileprivate var bit: UInt64 { 1 << UInt64(rawValue) }
}
