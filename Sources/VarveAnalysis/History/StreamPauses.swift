public import VarveFormat
internal import VarveProbe

/// How long operators let values wait by their own decision, and not because a scheduler was busy: in a
/// flattening that runs a limited number of inner streams, or before a failed input is started again.
public struct StreamPauses: Sendable {
  /// Why values wait.
  public enum Reason: Sendable {
    /// Values of a flattening wait for their turn.
    case turn
    /// The input is started again after a while.
    case restart
  }

  /// The pauses of one operator.
  public struct Pause: Sendable {
    /// The operator.
    public var stream: UInt32
    /// Why values wait.
    public var reason: Reason
    /// The longest wait for a turn, or the sum of the pauses before restarts that followed each other,
    /// in nanoseconds.
    public var nanoseconds: UInt64 = 0
    /// The most values that waited at once, or the number of those restarts.
    public var count = 0
    /// The event that ended the wait.
    public var event: EventName
  }

  /// The pauses, the longest first.
  public private(set) var all: [Pause] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  /// What is known of one operator until an event.
  private struct Account {
    private var waiting: [UInt64] = []
    /// The first of those that wait still.
    private var next = 0
    /// The most that waited at once.
    private(set) var most = 0
    var ended: UInt64?
    var sum: UInt64 = 0
    var times = 0
    var worst: Pause?

    var waits: Int { waiting.count - next }

    mutating func wait(since tick: UInt64) {
      guard waits < StreamPauses.mostWaiting else { return }
      if next > 1_024, next * 2 > waiting.count {
        waiting.removeFirst(next)
        next = 0
      }
      waiting.append(tick)
      most = max(most, waits)
    }

    mutating func takeFirst() -> UInt64? {
      guard next < waiting.count else { return nil }
      next += 1
      return waiting[next - 1]
    }

    mutating func forget() { (waiting, next) = ([], 0) }

    mutating func keep(_ pause: Pause) {
      if pause.nanoseconds > worst?.nanoseconds ?? 0 { worst = pause }
    }
  }

  /// The maximum number of values of a flattening that are remembered while they wait.
  fileprivate static let mostWaiting = 65_536
  /// The maximum number of operators that are followed.
  private static let mostOperators = 4_096

  /// Finds the pauses in a part of a trace.
  ///
  /// - Complexity: one pass over the values, ends and observations of the streams that such operators
  ///   observe.
  public init<Source: EventSource>(in source: Source, _ selection: Selection)
    throws(SelectionError)
  {
    let streams = source.definitions.streams
    var operators: [UInt32: Reason] = [:]
    var inputs: [UInt32: [UInt32]] = [:]
    for (id, definition) in streams.sorted(by: { $0.key < $1.key }) {
      guard operators.count < Self.mostOperators, let input = definition.parents.first,
        let traits = definition.traits
      else { continue }
      if traits.contains(.restarts) {
        operators[id] = .restart
      } else if traits.isSuperset(of: [.makesStreams, .holds]) {
        operators[id] = .turn
      } else {
        continue
      }
      inputs[input, default: []].append(id)
    }
    if operators.isEmpty { return }
    var times = Selection()
    (times.since, times.until) = (selection.since, selection.until)
    times.kinds = KindSelection([.value, .failed, .completed, .subscribed])
    var query = try EventQuery(times, in: source, columns: [.ticks, .kinds, .streams, .words])
    var accounts: [UInt32: Account] = [:]
    let time = source.time
    query.run { page in
      page.forEachRun { entries, columns in
        for entry in entries {
          let index = Int(entry.index)
          let (stream, tick) = (columns.streams[index], columns.ticks[index])
          let kind = RecordKind(rawValue: columns.kinds[index])
          guard kind == .subscribed else {
            for id in inputs[stream] ?? [] {
              Self.note(kind, tick, of: operators[id], &accounts[id, default: Account()])
            }
            continue
          }
          let observer = UInt32(truncatingIfNeeded: columns.words[index])
          guard let reason = operators[observer] else { continue }
          let isInput = inputs[stream]?.contains(observer) ?? false
          Self.begin(
            Pause(stream: observer, reason: reason, event: columns.name(index)), at: tick, time,
            isInput: isInput, &accounts[observer, default: Account()])
        }
      }
      return true
    }
    damage = query.damage
    all = accounts.compactMap(\.value.worst).sorted {
      ($1.nanoseconds, $0.stream) < ($0.nanoseconds, $1.stream)
    }
  }

  /// Notes an event of an operator's input.
  private static func note(
    _ kind: RecordKind?, _ tick: UInt64, of reason: Reason?, _ account: inout Account
  ) {
    switch (reason, kind) {
    case (.turn, .value): account.wait(since: tick)
    case (.restart, .value): (account.sum, account.times) = (0, 0)
    case (.restart, .failed), (.restart, .completed): account.ended = tick
    default: break
    }
  }

  /// Notes that an operator observes one of its inputs, or an inner stream.
  private static func begin(
    _ pause: Pause, at tick: UInt64, _ time: TraceTime, isInput: Bool, _ account: inout Account
  ) {
    var pause = pause
    switch pause.reason {
    case .turn:
      guard !isInput else { return account.forget() }
      pause.count = account.most
      guard let came = account.takeFirst() else { return }
      pause.nanoseconds = time.duration(from: came, to: max(came, tick))
    case .restart:
      guard let ended = account.ended else { return }
      account.ended = nil
      account.sum += time.duration(from: ended, to: max(ended, tick))
      account.times += 1
      (pause.nanoseconds, pause.count) = (account.sum, account.times)
    }
    account.keep(pause)
  }
}
