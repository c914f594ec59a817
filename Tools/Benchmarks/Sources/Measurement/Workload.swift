/// The same work for every library: what it is called and how large a round is.
public struct WorkloadPlan: Sendable {
  /// Its letter.
  public let id: String
  /// What `--only` calls it: its letter without the variant.
  public var part: String { String(id.prefix { $0 != "_" }) }
  /// What it does, for people.
  public let title: String
  /// Values that are sent in one round.
  public let events: Int
  /// What the round's time is divided by: events, or events times observers.
  public let deliveries: Int

  /// Whose CPU time counts: the sending thread's or, when others take part, the whole process's.
  public let clock: CPUClock

  /// A subject with one observer.
  public static let a = WorkloadPlan(id: "a", title: "pipe, one observer", events: 500_000)
  /// A subject through three operators.
  public static let b = WorkloadPlan(
    id: "b", title: "pipe, map, filter, map, observer", events: 500_000)
  /// A cold chain.
  public static let c = WorkloadPlan(
    id: "c", title: "cold: map, filter, scan, take", events: 1_000_000)
  /// Eight subjects merged.
  public static let d = WorkloadPlan(id: "d", title: "merge of 8", events: 400_000)
  /// Two subjects combined.
  public static let e = WorkloadPlan(id: "e", title: "combineLatest of 2", events: 400_000)
  /// A mutable property with one observer.
  public static let f = WorkloadPlan(
    id: "f", title: "mutable property, one observer", events: 500_000)
  /// A hop to a serial queue.
  public static let g = WorkloadPlan(
    id: "g", title: "hop to a serial queue", events: 100_000, clock: .process)
  /// An inner stream of one value for each value, merged.
  public static let hMerge = WorkloadPlan(
    id: "h_merge", title: "flatMap merge, an inner value each", events: 200_000)
  /// An inner stream of one value for each value, the latest.
  public static let hLatest = WorkloadPlan(
    id: "h_latest", title: "flatMap latest, an inner value each", events: 200_000)
  /// Observing and ceasing to observe a subject that lives.
  public static let i = WorkloadPlan(id: "i", title: "subscribe and dispose", events: 100_000)
  /// A subject with a hundred observers.
  public static let j = WorkloadPlan(
    id: "j", title: "pipe, 100 observers, per delivery", events: 5_000, observers: 100)
  /// Two subjects zipped; per value of either.
  public static let k = WorkloadPlan(id: "k", title: "zip of 2", events: 400_000)

  /// How many inputs `d` has.
  public static let inputs = 8
  /// How many observers `j` has.
  public static let crowd = 100

  init(
    id: String, title: String, events: Int, observers: Int = 1, clock: CPUClock = .thread
  ) {
    self.clock = clock
    self.id = id
    self.title = title
    self.events = events
    deliveries = events * observers
  }
}

/// One library's way of doing a plan's work.
public struct Workload {
  /// The work.
  public let plan: WorkloadPlan
  /// Builds the streams, which is not measured, and returns what is: it sends so many events and
  /// returns the sum of what arrived.
  public let prepare: () -> (Int) -> Int
  private let clock: CPUClock

  /// Creates a workload.
  ///
  /// - Parameter clock: for a library that uses more threads than the plan's clock counts.
  public init(
    _ plan: WorkloadPlan, clock: CPUClock? = nil, prepare: @escaping () -> (Int) -> Int
  ) {
    self.plan = plan
    self.clock = clock ?? plan.clock
    self.prepare = prepare
  }

  /// Runs one round and returns its CPU nanoseconds per delivery, and its sum.
  public func round() -> (nanoseconds: Double, sum: Int) {
    let body = prepare()
    let began = clock.now
    let sum = body(plan.events)
    let took = clock.now - began
    return (Double(took) / Double(plan.deliveries), sum)
  }
}
