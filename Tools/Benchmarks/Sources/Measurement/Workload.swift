/// The same work for every library: what it is called and how large a round is.
public struct WorkloadPlan: Sendable {
  /// Its letter.
  public let id: String
  /// What it does, for people.
  public let title: String
  /// Values that are sent in one round.
  public let events: Int
  /// What the round's time is divided by: events, or events times observers.
  public let deliveries: Int

  /// A subject with one observer.
  public static let a = WorkloadPlan(id: "a", title: "pipe, one observer", events: 500_000)
  /// A subject through three operators.
  public static let b = WorkloadPlan(
    id: "b", title: "pipe, map, filter, map, observer", events: 500_000)
  /// A mutable property with one observer.
  public static let f = WorkloadPlan(
    id: "f", title: "mutable property, one observer", events: 500_000)
  /// A subject with a hundred observers.
  public static let j = WorkloadPlan(
    id: "j", title: "pipe, 100 observers, per delivery", events: 5_000, observers: 100)

  /// Every plan, in the order of the table.
  public static let all = [a, b, f, j]

  /// How many observers `j` has.
  public static let crowd = 100

  init(id: String, title: String, events: Int, observers: Int = 1) {
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
  /// Builds the streams, which is not measured, and returns what is: it sends the plan's events and
  /// returns the sum of what arrived.
  public let prepare: () -> () -> Int

  /// Creates a workload.
  public init(_ plan: WorkloadPlan, prepare: @escaping () -> () -> Int) {
    self.plan = plan
    self.prepare = prepare
  }

  /// Runs one round and returns its CPU nanoseconds per delivery, and its sum.
  public func round() -> (nanoseconds: Double, sum: Int) {
    let body = prepare()
    let began = CPUClock.thread
    let sum = body()
    let took = CPUClock.thread - began
    return (Double(took) / Double(plan.deliveries), sum)
  }
}
