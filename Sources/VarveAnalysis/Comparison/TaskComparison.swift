public import VarveProbe

/// A comparison of the tasks of two runs, by what made them.
///
/// Tasks are alike that have one name, and were made alike by the same code. Of these, it is compared how many
/// there were, how many failed, with which errors, were cancelled, and had not ended. Times, threads and
/// numbers differ from run to run and are not.
public struct TaskComparison: Sendable {
  /// What tasks have in common.
  public struct Group: Sendable, Hashable {
    /// Their name, if they have one.
    public var name: String?
    /// How they were made.
    public var kind: TaskState.Kind
    /// The line of the code that made them, if it is known.
    public var place: Place?
  }

  /// What became of them in one run.
  public struct Account: Sendable, Hashable {
    /// How many were made.
    public fileprivate(set) var made = 0
    /// How many were cancelled.
    public fileprivate(set) var cancelled = 0
    /// How many had not ended.
    public fileprivate(set) var lasting = 0
    /// How many of those waited for something.
    public fileprivate(set) var waiting = 0
    /// How many failed, by the types of their errors.
    public fileprivate(set) var failed: [String: Int] = [:]
  }

  /// A group that differs.
  public struct Difference: Sendable, Hashable {
    /// What the tasks have in common.
    public var group: Group
    /// What became of them in the first run.
    public var left: Account
    /// What became of them in the second run.
    public var right: Account
  }

  /// The groups that differ, in the order in which their first tasks were made.
  public private(set) var differences: [Difference] = []
  /// The number of groups that do not.
  public private(set) var same = 0
  /// The numbers of tasks in both runs.
  public private(set) var counts = (0, 0)

  /// Compares tasks, those included that have ended.
  ///
  /// - Parameters:
  ///   - left: the tasks of the first run.
  ///   - leftSymbols: names the code of its program.
  ///   - right: the tasks of the second run.
  ///   - rightSymbols: names the code of its program.
  ///   - isChosen: whether tasks of a name are compared.
  public init(
    _ left: TraceTasks, _ leftSymbols: Symbolizer, _ right: TraceTasks, _ rightSymbols: Symbolizer,
    choosing isChosen: (String?) -> Bool = { _ in true }
  ) {
    // A recording without stacks knows no places.
    let hasPlaces = [left, right].allSatisfy { $0.tasks.contains { !$0.made.isEmpty } }
    let one = Accounts(left, hasPlaces ? leftSymbols : nil, isChosen)
    let other = Accounts(right, hasPlaces ? rightSymbols : nil, isChosen)
    counts = (one.count, other.count)
    for group in one.order + other.order.filter({ one.all[$0] == nil }) {
      let (mine, theirs) = (one.all[group] ?? Account(), other.all[group] ?? Account())
      if mine == theirs {
        same += 1
      } else {
        differences.append(Difference(group: group, left: mine, right: theirs))
      }
    }
  }

  /// The accounts of one run.
  private struct Accounts {
    var all: [Group: Account] = [:]
    var order: [Group] = []
    var count = 0

    init(_ tasks: TraceTasks, _ symbols: Symbolizer?, _ isChosen: (String?) -> Bool) {
      symbols?.lookUp(Set(tasks.tasks.map(\.made)).flatMap { $0 })
      for task in tasks.tasks where isChosen(task.name) {
        let made = symbols?.named(task.made) ?? []
        // How often the runtime makes one for itself, for a sleep, is a matter of time.
        if task.name == nil, task.maker == nil,
          made.isEmpty ? task.ranOnce && task.phase == .ended : made.allSatisfy(\.isMachinery)
        {
          continue
        }
        let group = Group(
          name: task.name, kind: task.making(by: made),
          place: symbols?.ownFrame(of: task.made)?.place)
        if all[group] == nil { order.append(group) }
        count += 1
        var account = all[group] ?? Account()
        account.made += 1
        account.cancelled += task.isCancelled ? 1 : 0
        account.lasting += task.phase == .ended ? 0 : 1
        account.waiting += task.phase == .suspended || task.phase == .enqueued ? 1 : 0
        if let error = task.failure { account.failed[error, default: 0] += 1 }
        all[group] = account
      }
    }
  }
}

extension TaskState {
  /// Returns how it was made: the code that did tells a detached task from another.
  package func making(by made: [NamedFrame]) -> Kind {
    let isDetached =
      kind == .task && made.contains { $0.function?.contains("Task.detached(") == true }
    return isDetached ? .detached : kind
  }
}
