internal import VarveFormat
internal import VarveProbe

/// Tasks that came back from a wait on the global executor, in functions that set there what other code sets on
/// the main actor, to which these tasks go, too.
struct StrayResumptions: TaskGuesser {
  private struct Way: Hashable {
    /// Where the task waited, and what it waited for next, if it came back on the global executor.
    var wait: UInt32
    var next: UInt32
  }

  private struct Resumption {
    var task: UInt64
    var event: EventName
    var count: UInt64 = 0
  }

  private struct Life {
    var wait: UInt32 = 0
    /// Whether it has come back from that on the global executor, and whether it was on the main actor before.
    var isGlobal = false
    var isOfMain = false
  }

  private let main: Set<UInt32>
  private let global: Set<UInt32>
  private var lives: WalkTable<UInt64, Life>
  private var found: [Way: Resumption] = [:]

  private static let mostWays = 1_024

  init(_ definitions: TraceDefinitions, _ walk: TraceWalk) {
    func schedulers(_ name: String) -> Set<UInt32> {
      Set(definitions.schedulers.values.lazy.filter { $0.name == name }.map(\.id))
    }
    (main, global) = (schedulers("main actor"), schedulers("global executor"))
    lives = WalkTable(walk, bytes: 48, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    guard !main.isEmpty else { return }
    switch moment.step {
    case .began(let task, _):
      let (isMain, isGlobal) = (main.contains(moment.executor), global.contains(moment.executor))
      _ = lives.change(task, orFirst: Life()) {
        $0.isOfMain = $0.isOfMain || isMain
        $0.isGlobal = isGlobal
      }
    case .ended(let task, let end):
      guard let life = lives[task] else { return }
      if life.isGlobal, life.isOfMain, life.wait != 0 {
        let way = Way(wait: life.wait, next: end.stack)
        if found[way] != nil || found.count < Self.mostWays {
          found[way, default: Resumption(task: task, event: moment.event)].count += 1
        }
      }
      guard moment.awaited != .nothing else {
        lives.removeValue(forKey: task)
        return
      }
      let wait = moment.awaited == .executor ? 0 : end.stack
      lives.change(task) { $0.wait = wait }
    default: return
    }
  }

  /// Returns a guess for each line that sets such a thing, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    names.lookUp(found.keys.flatMap { [$0.wait, $0.next] })
    var uses = MainActorUses()
    var seen: Set<Place> = []
    return found.sorted { $0.value.event < $1.value.event }.compactMap { way, resumption in
      let next = names.own(of: way.next)
      for frame in names.frames(of: way.wait) where !frame.isMachinery && frame.line > 0 {
        // It belongs to an actor if it moves to an executor before it goes on.
        guard next?.function != frame.function || next?.line != frame.line else { return nil }
        guard let (name, place) = uses.stray(below: frame), let file = frame.file else { continue }
        guard seen.insert(place).inserted else { return nil }
        var finding = Finding(
          .thread, weight: 42, place: .line(place),
          "\(name) is set here on the global executor, where task \(resumption.task.description) came back from its wait at "
            + "\(place: .line(Place(path: file, line: frame.line))); other code of this file sets it on the main actor",
          evidence: [resumption.event])
        finding.count = resumption.count
        return finding
      }
      return nil
    }
  }
}
