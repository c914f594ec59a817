internal import VarveFormat
internal import VarveProbe

/// Waits whose length is handed over in another unit than its name says, so that they are much shorter, or
/// much longer, than was meant.
struct MistakenUnits: TaskGuesser {
  /// The waits at one place.
  private struct Waits {
    var task: UInt64
    var event: EventName
    var count: UInt64 = 0
    var nanoseconds: UInt64 = 0
  }

  private let time: TraceTime
  private var found: [UInt32: Waits] = [:]
  /// The waits that have not ended.
  private var waiting: WalkTable<UInt64, (stack: UInt32, since: UInt64)>

  private static let mostPlaces = 1_024
  /// In nanoseconds.
  private static let long: UInt64 = 100_000_000

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    waiting = WalkTable(walk, bytes: 48, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _):
      guard let wait = waiting.removeValue(forKey: task) else { return }
      found[wait.stack]?.nanoseconds += time.duration(from: wait.since, to: moment.ticks)
    case .ended(let task, let end):
      guard moment.awaited != .nothing, moment.awaited != .executor, end.stack != 0,
        found[end.stack] != nil || found.count < Self.mostPlaces
      else { return }
      found[end.stack, default: Waits(task: task, event: moment.event)].count += 1
      waiting.set((end.stack, moment.ticks), for: task)
    default: return
    }
  }

  /// Returns a guess for each line with such a time, by its source.
  func guesses(_ names: StackNames) -> [Finding] { guesses(names) { _, _ in true } }

  /// Returns those about waits that were too long.
  func long(_ names: StackNames) -> [Finding] {
    guesses(names) { $0.isLonger && $1.nanoseconds >= Self.long }
  }

  private func guesses(
    _ names: StackNames, where isWanted: (TimeUnits.Mistake, Waits) -> Bool
  ) -> [Finding] {
    names.lookUp(found.keys)
    var units = TimeUnits()
    var seen: Set<Place> = []
    return found.sorted { $0.value.event < $1.value.event }.compactMap { stack, waits in
      let mistake = names.frames(of: stack).lazy.compactMap { units.mistake(at: $0) }.first
      guard let mistake, isWanted(mistake, waits), seen.insert(mistake.place).inserted else {
        return nil
      }
      var finding = Finding(
        mistake.isLonger ? .backlog : .storm, weight: 65, place: .line(mistake.place),
        "\(mistake.name), a time in \(mistake.unit), is waited for here as if it were in \(mistake.mistaken): "
          + "task \(waits.task.description) waited \(waits.count, "time", "times"), for "
          + "\(nanoseconds: waits.nanoseconds / waits.count) on average",
        evidence: [waits.event])
      finding.count = waits.count
      finding.nanoseconds = waits.nanoseconds
      return finding
    }
  }
}
