public import VarveFormat
internal import VarveProbe

/// The errors that a program's code threw, by where.
public struct ThrownErrors {
  /// A place that throws errors of one type.
  public struct Site: Sendable {
    /// The name of the type.
    public var error: String
    /// The stack of the code that throws.
    public var stack: UInt32
    /// How many were thrown.
    public var count: UInt64
    /// The first one.
    public var first: EventName
    /// When the first one was thrown, in ticks.
    public var ticks: UInt64
    /// The task that threw the first one; 0 outside tasks.
    public var task: UInt64
    /// Whether one of the tasks in which they were thrown has failed with such an error.
    public var hasFailed = false
  }

  private struct Key: Hashable {
    var error: String
    var stack: UInt32
  }

  /// The places, in the order of their first errors.
  public private(set) var sites: [Site] = []
  /// The stacks of the code that threw the errors with which tasks have failed, by task.
  public private(set) var failures: [UInt64: UInt32] = [:]
  /// Blocks that could not be read.
  public private(set) var damage: [TraceFileError] = []

  private var indices: [Key: Int] = [:]
  private var thrown: UInt64 = 0
  /// What each task threw last.
  private var last: [UInt64: Int] = [:]

  private static let mostSites = 1_024
  /// The maximum number of errors whose stacks are looked up.
  private static let mostErrors: UInt64 = 20_000
  private static let mostTasks = 100_000

  /// Reads the errors of a trace. Without any, no block is read.
  public init(_ source: some EventSource, _ lookup: EventLookup) {
    var selection = Selection()
    selection.kinds = KindSelection([.errorThrown, .taskFailed])
    guard source.blocks.contains(where: { $0.kinds.mayContain(RecordKind.errorThrown.rawValue) }),
      var query = try? EventQuery(
        selection, in: source, columns: [.ticks, .kinds, .subscriptions, .payloads])
    else { return }
    query.run { page in
      page.forEach { batch, index in
        let columns = batch.columns
        let task = columns.subscriptions[index]
        guard columns.kinds[index] == RecordKind.errorThrown.rawValue else {
          if let site = last.removeValue(forKey: task) {
            sites[site].hasFailed = true
            failures[task] = sites[site].stack
          }
          return
        }
        note(
          columns.name(index), in: task, String(decoding: columns.text(index), as: UTF8.self),
          at: columns.ticks[index], lookup)
      }
      return thrown < Self.mostErrors
    }
    damage = query.damage
  }

  private mutating func note(
    _ event: EventName, in task: UInt64, _ error: String, at ticks: UInt64, _ lookup: EventLookup
  ) {
    thrown += 1
    last[task] = nil
    guard let stack = lookup.sender(of: event) else { return }
    let key = Key(error: error, stack: stack)
    if let known = indices[key] {
      sites[known].count += 1
    } else {
      guard sites.count < Self.mostSites else { return }
      indices[key] = sites.count
      sites.append(
        Site(error: error, stack: stack, count: 1, first: event, ticks: ticks, task: task))
    }
    if task != 0, last.count + failures.count < Self.mostTasks { last[task] = indices[key] }
  }

  /// The error of a task that was told to end.
  package static let cancellation = "CancellationError"
}
