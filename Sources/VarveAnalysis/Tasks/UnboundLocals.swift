internal import VarveFormat
internal import VarveProbe

/// Code that resumes tasks from outside of all of them, such as that of a queue, and reads there a
/// task-local value, which has its default there.
struct UnboundLocals: TaskGuesser {
  private struct Resumption {
    var task: UInt64
    var event: EventName
  }

  /// The first one of each stack.
  private var resumptions: [UInt32: Resumption] = [:]
  /// The places at which tasks are made and wait.
  private var places: Set<UInt32> = []

  private static let mostPlaces = 1_024

  mutating func note(_ moment: TaskMoment) {
    guard moment.stack != 0 else { return }
    if case .scheduled(let task) = moment.step {
      guard moment.giver == nil, resumptions[moment.stack] == nil,
        resumptions.count < Self.mostPlaces
      else { return }
      resumptions[moment.stack] = Resumption(task: task, event: moment.event)
    } else if places.count < Self.mostPlaces {
      places.insert(moment.stack)
    }
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
    return resumptions.sorted { $0.value.event < $1.value.event }.compactMap { stack, resumption in
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
  }
}
