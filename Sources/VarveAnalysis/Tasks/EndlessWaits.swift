internal import VarveFormat
internal import VarveProbe

/// Tasks that wait again and again in loops which nothing ends: what was to end one may leave something
/// else, and what is to be done after it may never begin.
struct EndlessWaits: TaskGuesser {
  /// The waits of a task at one place.
  private struct Account {
    var task: UInt64
    var count: UInt64 = 0
    var event: EventName
  }

  private var accounts: [UInt32: Account] = [:]
  private var waits: WalkTable<UInt64, UInt32>

  private static let fewest: UInt64 = 3
  private static let mostPlaces = 1_024

  init(_ walk: TraceWalk) { waits = WalkTable(walk, bytes: 40, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    // What is cancelled is to end.
    case .began(let task, _), .cancelled(let task): waits.removeValue(forKey: task)
    case .ended(let task, let end):
      guard moment.awaited != .nothing, moment.awaited != .executor, end.stack != 0,
        accounts[end.stack] != nil || accounts.count < Self.mostPlaces
      else { return }
      if !moment.isCancelled { waits.set(end.stack, for: task) }
      let first = Account(task: task, event: moment.event)
      if accounts[end.stack, default: first].task == task {
        accounts[end.stack, default: first].count += 1
      }
    default: return
    }
  }

  private var often: [(key: UInt32, value: Account)] {
    accounts.filter { $0.value.count >= Self.fewest }.sorted { $0.key < $1.key }
  }

  /// Returns a guess for each such loop with a `break` that leaves only a `switch` in it, by its source.
  func breaks(_ names: StackNames) -> [Finding] {
    names.lookUp(often.map(\.key))
    var sources = SourceLines()
    var seen: Set<Place> = []
    return often.compactMap { stack, account in
      for frame in names.frames(of: stack) where !frame.isMachinery {
        guard let file = frame.file, let source = sources.source(at: frame),
          let position = source.endlessLoop?.breakOfSwitch
        else { continue }
        let place = Place(path: file, line: UInt32(source.line(at: position)))
        guard seen.insert(place).inserted else { return nil }
        return Finding(
          .storm, weight: 64, place: .line(place),
          "this leaves the switch, and not the loop around it, in which task \(account.task.description) "
            + "waited \(account.count, "time", "times"), and which nothing else ends",
          evidence: [account.event])
      }
      return nil
    }
  }

  /// Returns a guess for each such loop that a task was in to the end, though its function has more to await
  /// below it, and for each call that was in one, though its caller has; by their source.
  func unreached(_ names: StackNames) -> [Finding] {
    let held = Set(waits.entries.map(\.value))
    names.lookUp(accounts.keys)
    let reached = accounts.keys.flatMap(names.frames).reduce(into: [String: Set<UInt32>]()) {
      if let file = $1.file { $0[file, default: []].insert($1.line) }
    }
    var sources = SourceLines()
    var seen: Set<Place> = []
    return often.filter { held.contains($0.key) }.compactMap { stack, account in
      let own = names.frames(of: stack).filter { !$0.isMachinery && $0.line > 0 }
      let loop = own.firstIndex { sources.source(at: $0)?.endlessLoop != nil }
      for (index, frame) in own.enumerated().dropFirst(loop ?? own.count) {
        let isLoop = index == loop
        guard let file = frame.file, let source = sources.source(at: frame),
          let next = isLoop ? source.awaitBelowLoop : source.awaitBelow
        else { continue }
        let head = isLoop ? source.endlessLoop.map { UInt32(source.line(at: $0.position)) } : nil
        let place = Place(path: file, line: head ?? frame.line)
        let line = source.line(at: next.position)
        guard reached[file]?.contains(UInt32(line)) != true, seen.insert(place).inserted else {
          return nil
        }
        return Finding(
          .silence, weight: 40, place: .line(place),
          "task \(account.task.description) was in \(isLoop ? "this loop" : "a loop of this call") to the end of the record, "
            + "and did not come to what is awaited after it, at "
            + "\(place: .line(Place(path: file, line: UInt32(line)))): what comes first does not end",
          evidence: [account.event])
      }
      return nil
    }
  }
}
