internal import VarveFormat
internal import VarveProbe

/// Code that reads a task-local value where that has its default: outside of all tasks, such as on a queue,
/// whence it resumes one; or in a closure that was handed to a task which does not have the value.
struct UnboundLocals: TaskGuesser {
  private struct Resumption {
    var task: UInt64
    var event: EventName
  }

  /// A wait of a task.
  private struct Wait {
    var task: UInt64
    var maker: UInt32
    var event: EventName
  }

  /// The first one of each stack.
  private var resumptions: [UInt32: Resumption] = [:]
  private var waits: [UInt32: Wait] = [:]
  /// The places at which tasks are made and wait.
  private var places: Set<UInt32> = []

  /// The code that made each task that is alive, and, of code that makes tasks, that which made the task it
  /// first did so in.
  private var madeBy: WalkTable<UInt64, UInt32>
  private var outer: [UInt32: UInt32] = [:]

  private static let mostPlaces = 1_024
  private static let mostSteps = 8

  init(_ walk: TraceWalk) { madeBy = WalkTable(walk, bytes: 40, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    if case .made(let task, let made) = moment.step {
      madeBy.set(moment.maker, for: task)
      if outer[moment.maker] == nil, outer.count < Self.mostPlaces {
        outer[moment.maker] = madeBy[made.creator] ?? 0
      }
    }
    if moment.awaited == .nothing { madeBy.removeValue(forKey: moment.step.task) }
    guard moment.stack != 0 else { return }
    if case .scheduled(let task) = moment.step {
      guard moment.giver == nil, resumptions[moment.stack] == nil,
        resumptions.count < Self.mostPlaces
      else { return }
      resumptions[moment.stack] = Resumption(task: task, event: moment.event)
    } else if places.count < Self.mostPlaces {
      places.insert(moment.stack)
    }
    guard case .ended(let task, _) = moment.step, moment.awaited != .executor,
      waits[moment.stack] == nil, waits.count < Self.mostPlaces
    else { return }
    waits[moment.stack] = Wait(task: task, maker: moment.maker, event: moment.event)
  }

  /// Returns a guess for each line that reads such a value, by the source.
  func guesses(_ names: StackNames) -> [Finding] {
    names.lookUp(places.union(resumptions.keys))
    var variables = TaskVariables()
    let files = Set(places.flatMap { names.frames(of: $0) }.lazy.compactMap(\.file))
    let locals = files.reduce(into: Set<String>()) {
      $0.formUnion(variables.boundLocals(in: $1))
    }
    guard !locals.isEmpty else { return [] }
    var seen: Set<Place> = []
    let outside: [Finding] = resumptions.sorted { $0.value.event < $1.value.event }.compactMap {
      stack, resumption in
      for frame in names.frames(of: stack) where !frame.isMachinery && frame.line > 0 {
        guard let read = variables.read(of: locals, above: frame) else { continue }
        guard seen.insert(read.place).inserted else { return nil }
        return Finding(
          .partial, weight: 62, place: .line(read.place),
          "this reads the task-local \(read.name) outside of any task, where it has its default, and then "
            + "resumed task \(resumption.task.description)",
          evidence: [resumption.event])
      }
      return nil
    }
    return outside + handedOver(names, locals, &variables, &seen)
  }

  /// Returns a guess for each closure that reads such a value in a task that has not made it, if the function
  /// which has made it was called where the value is bound.
  private func handedOver(
    _ names: StackNames, _ locals: Set<String>, _ variables: inout TaskVariables,
    _ seen: inout Set<Place>
  ) -> [Finding] {
    var found: [Finding] = []
    for (stack, wait) in waits.sorted(by: { $0.value.event < $1.value.event }) {
      let own = names.frames(of: stack).filter { !$0.isMachinery && $0.line > 0 }
      // With the outermost closure, the task was made.
      for (index, frame) in own.enumerated().dropLast() {
        guard let owner = frame.closureOwner, let read = variables.read(of: locals, above: frame)
        else { continue }
        // A task inherits the values of the one that made it.
        let around = own[(index + 1)...] + makers(from: wait.maker).flatMap(names.frames)
        guard !around.contains(where: { $0.isPart(of: owner) }),
          !around.contains(where: { variables.binds(read.name, at: $0) }),
          names.stacks.keys.contains(where: { id in
            let frames = names.frames(of: id)
            guard let position = frames.firstIndex(where: { $0.isPart(of: owner) }) else {
              return false
            }
            return frames[position...].contains { variables.binds(read.name, at: $0) }
          }), seen.insert(read.place).inserted
        else { continue }
        found.append(
          Finding(
            .partial, weight: 62, place: .line(read.place),
            "this reads the task-local \(read.name) in task \(wait.task.description), to which \(owner) handed the closure: "
              + "it has its default there, and not the value with which \(owner) was called",
            evidence: [wait.event]))
      }
    }
    return found
  }

  /// Returns the stacks of code that made a task, the task in which it did so, and so on.
  private func makers(from maker: UInt32) -> [UInt32] {
    sequence(first: maker) { outer[$0] }.prefix(Self.mostSteps).filter { $0 != 0 }
  }
}

extension NamedFrame {
  /// The function that a closure is written in; nil if the frame is no closure's.
  fileprivate var closureOwner: String? {
    guard let function,
      let last = function.indices.last(where: { function[$0...].hasPrefix(" in ") })
    else { return nil }
    return String(function[last...].dropFirst(4))
  }

  /// Whether it is a function, or a closure in it.
  fileprivate func isPart(of owner: String) -> Bool {
    function == owner || function?.hasSuffix(" in " + owner) == true
  }
}
