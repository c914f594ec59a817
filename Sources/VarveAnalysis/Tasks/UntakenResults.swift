internal import VarveFormat
internal import VarveProbe

/// Groups of which nobody takes the results while children come and end: a group keeps them until then.
struct UntakenResults: TaskGuesser {
  private struct Group {
    var ended: UInt64 = 0
    /// Where the task waited when a child ended, and for something else.
    var stack: UInt32 = 0
    var event: EventName
  }

  private let suspensions: TaskSuspensions
  private var groups: WalkTable<UInt64, Group>

  private static let fewest: UInt64 = 8
  private static let mostGroups = 4_096

  init(_ suspensions: TaskSuspensions, _ walk: TraceWalk) {
    self.suspensions = suspensions
    groups = WalkTable(walk, bytes: 64, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    guard moment.awaited == .nothing, let parent = moment.parent,
      let stack = suspensions.stack(of: parent), stack != 0,
      suspensions.stack(of: parent, awaiting: .group) == nil
    else { return }
    _ = groups.change(parent, orFirst: Group(event: moment.event)) {
      $0.ended += 1
      ($0.stack, $0.event) = (stack, moment.event)
    }
  }

  /// Returns a guess for each such group, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    let many = groups.entries.filter { $0.value.ended >= Self.fewest }.sorted { $0.key < $1.key }
      .prefix(Self.mostGroups)
    names.lookUp(many.map(\.value.stack))
    var sources = TaskGroups()
    var seen: Set<Place> = []
    return many.compactMap { task, group in
      let own = names.frames(of: group.stack).filter { !$0.isMachinery && $0.line > 0 }
      guard let maker = sources.maker(in: own), maker > 0, let file = own[maker].file,
        sources.keepsResults(madeBy: own[maker], while: own[maker - 1]),
        seen.insert(Place(path: file, line: own[maker].line)).inserted
      else { return nil }
      var finding = Finding(
        .leak, weight: 58, place: .line(Place(path: file, line: own[maker].line)),
        "\(group.ended, "child", "children") of task \(task.description)'s group, made here, ended while the task waited "
          + "for something else, and nothing takes their results: the group keeps each of them until it ends",
        evidence: [group.event])
      finding.count = group.ended
      return finding
    }
  }
}
