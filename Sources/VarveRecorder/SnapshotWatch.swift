internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// A watch for the causes of snapshots. Used on the drain thread only, including `begin` and `end`.
final class SnapshotWatch {
  private let failures: [NameGlob]
  private var absorptions: Set<UInt8>
  private let signals: [Int32]
  private let trace: String
  /// Whether a snapshot was requested, by a signal or by `varve control`.
  private var isAsked = false
  /// Whether an event of a stream has triggered a snapshot.
  private var isTriggered = false
  private var made = 0
  private var madeByStreams = 0
  /// Whether the user was notified that streams cause no more snapshots.
  private var hasTold = false
  private var latest: UInt64 = 0

  /// Streams may keep failing, and each snapshot takes space on the disk. Requests from outside are
  /// unlimited.
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

  /// Whether records must be examined soon after they were made.
  var looksAtRecords: Bool { !hasTold && !(failures.isEmpty && absorptions.isEmpty) }

  /// Begins watching. The patterns of failing streams must be known before any stream is defined.
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

  /// Examines records that were just written.
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

  /// Requests a snapshot.
  func ask() { isAsked = true }

  /// Returns the path of a snapshot that is due now; nil if none is. Several requests since the
  /// last one make one snapshot.
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

  /// Skips a snapshot, and stops looking for triggers in records.
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
