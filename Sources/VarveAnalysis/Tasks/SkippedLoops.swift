internal import VarveFormat
internal import VarveProbe

/// Tasks that waited for one thing until they were cancelled, or to the end, in functions that were to go
/// through a sequence after that: they never came to it.
struct SkippedLoops: TaskGuesser {
  private struct Held {
    var task: UInt64
    var event: EventName
    var isCancelled: Bool
  }

  private var waits: WalkTable<UInt64, (stack: UInt32, event: EventName)>
  /// The first task that was held at each place.
  private var held: [UInt32: Held] = [:]
  /// All places at which tasks wait.
  private var places: Set<UInt32> = []

  private static let mostPlaces = 1_024

  init(_ walk: TraceWalk) { waits = WalkTable(walk, bytes: 56, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _): waits.removeValue(forKey: task)
    case .ended(let task, let end):
      guard moment.awaited != .nothing, moment.awaited != .executor, end.stack != 0,
        places.contains(end.stack) || places.count < Self.mostPlaces
      else { return }
      places.insert(end.stack)
      waits.set((end.stack, moment.event), for: task)
    case .cancelled(let task):
      guard let wait = waits[task], held[wait.stack] == nil else { return }
      held[wait.stack] = Held(task: task, event: moment.event, isCancelled: true)
    default: return
    }
  }

  /// Returns a guess for each such wait.
  func guesses(_ names: StackNames) -> [Finding] {
    var held = held
    for (task, wait) in waits.entries where held[wait.stack] == nil {
      held[wait.stack] = Held(task: task, event: wait.event, isCancelled: false)
    }
    names.lookUp(places)
    let frames = places.reduce(into: [UInt32: [NamedFrame]]()) {
      $0[$1] = names.frames(of: $1)
    }
    let reached = frames.values.joined().reduce(into: [String: Set<UInt32>]()) {
      if let file = $1.file { $0[file, default: []].insert($1.line) }
    }
    let files = Set(reached.keys)
    var loops = LoopsBelow()
    var seen: Set<Place> = []
    return held.sorted { $0.key < $1.key }.compactMap { stack, held in
      var isInLoop = false
      for frame in frames[stack] ?? [] {
        // What a function calls next may well be to clean up, unless that goes through a sequence, too.
        isInLoop = isInLoop || loops.isHeld(at: frame)
        let called = isInLoop ? loops.loop(calledBelow: frame, among: files) : nil
        guard let file = frame.file, let loop = loops.loop(below: frame) ?? called,
          reached[loop.file]?.contains(where: loop.lines.contains) != true,
          seen.insert(Place(path: file, line: frame.line)).inserted
        else { continue }
        let until = held.isCancelled ? "until it was cancelled" : "to the end of the record"
        return Finding(
          .silence, weight: 59, place: .line(Place(path: file, line: frame.line)),
          "task \(held.task.description) waited here \(until), and did not come to the loop that follows, at "
            + "\(place: .line(loop.place)): what comes first does not end",
          evidence: [held.event])
      }
      return nil
    }
  }
}
