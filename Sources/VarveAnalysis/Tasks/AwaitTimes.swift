public import VarveFormat
internal import VarveProbe

/// Where tasks waited, and for how long: the answer to what makes a program slow that does nothing.
public struct AwaitTimes: Sendable {
  /// The waits at one place.
  public struct Place: Sendable {
    /// The stack of the functions that waited.
    public var stack: UInt32
    /// The number of waits that ended.
    public var times: UInt64 = 0
    /// How long they took together, in nanoseconds: more than the program ran, if many tasks waited at
    /// once.
    public var nanoseconds: UInt64 = 0
    /// The longest, in nanoseconds, and the event at which its task went on.
    public var longest: UInt64 = 0
    /// That event.
    public var event: EventName
  }

  /// The places, the one with the longest wait first.
  public private(set) var places: [Place] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public private(set) var passedOver = PassedOver()

  /// A wait that has not ended.
  private struct Wait {
    var stack: UInt32
    var since: UInt64
  }

  private static let waitBytes = 56
  private static let mostPlaces = 4_096

  /// Adds up the waits of a part of a trace.
  ///
  /// - Complexity: one pass over the records of tasks; what is remembered is bounded by the tasks that
  ///   wait at once.
  public init(in source: some EventSource, _ selection: Selection) throws(SelectionError) {
    guard TraceTasks.areRecorded(in: source) else { return }
    let walk = TraceWalk(source)
    var steps = TaskSteps(walk)
    var waits = WalkTable<UInt64, Wait>(walk, bytes: Self.waitBytes, of: .work)
    var found: [UInt32: Place] = [:]
    var times = Selection()
    (times.since, times.until) = (selection.since, selection.until)
    times.kinds = KindSelection(TaskSteps.kinds)
    var query = try EventQuery(
      times, in: source,
      columns: [.ticks, .kinds, .streams, .subscriptions, .payloads, .causes])
    let time = source.time
    query.run { page in
      page.forEach { batch, index in
        let tick = batch.columns.ticks[index]
        switch steps.note(batch.columns, index) {
        case .ended(let task, let end)
        where end.awaited != TaskAwait.nothing.rawValue && end.stack != 0:
          waits.set(Wait(stack: end.stack, since: tick), for: task)
        case .began(let task, _):
          guard let wait = waits.removeValue(forKey: task),
            found[wait.stack] != nil || found.count < Self.mostPlaces
          else { return }
          let event = batch.columns.name(index)
          let took = time.duration(from: wait.since, to: max(wait.since, tick))
          var place = found[wait.stack] ?? Place(stack: wait.stack, event: event)
          place.times += 1
          place.nanoseconds += took
          if took > place.longest { (place.longest, place.event) = (took, event) }
          found[wait.stack] = place
        default: return
        }
      }
      return true
    }
    damage = query.damage
    passedOver = walk.passedOver
    places = found.values.sorted { ($1.longest, $0.stack) < ($0.longest, $1.stack) }
  }
}
