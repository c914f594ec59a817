internal import VarveFormat
internal import VarveProbe

/// Tasks that ended after a wait, because what they held weakly had gone meanwhile: of what they await below
/// that nothing came.
struct GoneOwners: TaskGuesser {
  private struct Way: Hashable {
    var maker: UInt32
    /// Where the task waited last.
    var wait: UInt32
  }

  private struct Ends {
    var task: UInt64
    var event: EventName
    var count: UInt64 = 0
  }

  private var waits: WalkTable<UInt64, UInt32>
  private var ends: [Way: Ends] = [:]

  private static let mostWays = 4_096

  init(_ walk: TraceWalk) { waits = WalkTable(walk, bytes: 40, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    guard case .ended(let task, let end) = moment.step, moment.maker != 0 else { return }
    guard moment.awaited == .nothing else {
      if end.stack != 0 { waits.set(end.stack, for: task) }
      return
    }
    guard let wait = waits.removeValue(forKey: task), !moment.isCancelled else { return }
    let way = Way(maker: moment.maker, wait: wait)
    guard ends[way] != nil || ends.count < Self.mostWays else { return }
    ends[way, default: Ends(task: task, event: moment.event)].count += 1
  }

  /// Returns a guess for each piece of code that makes such tasks, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    names.lookUp(ends.keys.flatMap { [$0.maker, $0.wait] })
    var owners = WeakOwners()
    return ends.sorted { $0.value.task < $1.value.task }.compactMap { way, ends in
      guard let maker = names.own(of: way.maker), let file = maker.file,
        // The task's own code is that which it began with.
        let wait = names.frames(of: way.wait).last(where: { !$0.isMachinery && $0.line > 0 }),
        wait.file == file, let owner = owners.owner(askedForBy: maker, below: wait.line)
      else { return nil }
      var finding = Finding(
        .partial, weight: 44, place: .line(Place(path: file, line: maker.line)),
        "task \(ends.task.description), made here, holds \(owner) weakly, and ended right after its wait at "
          + "\(place: .line(Place(path: file, line: wait.line))), with nothing of what it awaits below that: "
          + "\(owner) may have gone by then",
        evidence: [ends.event])
      finding.count = ends.count
      return finding
    }
  }
}
