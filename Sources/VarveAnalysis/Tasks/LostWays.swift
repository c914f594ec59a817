internal import VarveFormat
internal import VarveProbe

/// Functions that a task never entered again after an error had left them, though it had done so before,
/// and goes on: what they set back further down, they did not set back then.
struct LostWays: TaskGuesser {
  /// An error, and the functions that it left, the innermost first, each with the line of the call.
  private struct Leaving {
    var site: ThrownErrors.Site
    var left: [NamedFrame]
    var waitsAfter: UInt64 = 0
  }

  /// The waits at one stack.
  private struct Waits {
    var count: UInt64 = 0
    var last: UInt64 = 0
  }

  private struct Function: Hashable {
    var name: String
    var file: String
  }

  private let definitions: TraceDefinitions
  private let symbols: Symbolizer
  /// By the task that threw.
  private var leavings: [UInt64: [Leaving]] = [:]
  private var waits: [UInt32: Waits] = [:]

  /// So many waits later, the task would have come again.
  private static let fewestAfter: UInt64 = 3
  /// So many waits before show that it had come more than once.
  private static let fewestBefore: UInt64 = 2
  private static let mostStacks = 4_096

  /// - Parameters:
  ///   - caught: Where the program's code catches errors, which are left out without it.
  init(_ caught: CaughtErrors, _ definitions: TraceDefinitions, _ symbols: Symbolizer) {
    self.definitions = definitions
    self.symbols = symbols
    for way in caught.ways where way.site.task != 0 && !way.left.isEmpty {
      leavings[way.site.task, default: []].append(Leaving(site: way.site, left: way.left))
    }
  }

  mutating func note(_ moment: TaskMoment) {
    // On its way out, an error moves the task to the executors of those that are left.
    guard !leavings.isEmpty, case .ended(let task, let end) = moment.step, end.stack != 0,
      TaskAwait(rawValue: end.awaited) != .executor
    else { return }
    if waits[end.stack] != nil || waits.count < Self.mostStacks {
      waits[end.stack, default: Waits()].count += 1
      waits[end.stack]?.last = moment.ticks
    }
    guard let known = leavings[task] else { return }
    for index in known.indices where known[index].site.ticks < moment.ticks {
      leavings[task]?[index].waitsAfter += 1
    }
  }

  /// Returns a guess for each error, the first one first.
  var guesses: [Finding] {
    let all = leavings.values.joined().filter { $0.waitsAfter >= Self.fewestAfter }
    guard !all.isEmpty else { return [] }
    var entered: [Function: Waits] = [:]
    for (stack, waits) in waits {
      guard let frames = definitions.stacks[stack]?.frames else { continue }
      symbols.lookUpOwn(frames)
      for function in Set(symbols.named(frames).compactMap(Self.function)) {
        var all = entered[function] ?? Waits()
        all.count += waits.count
        all.last = max(all.last, waits.last)
        entered[function] = all
      }
    }
    var places: Set<Place> = []
    return all.sorted { $0.site.first < $1.site.first }.compactMap { leaving -> Finding? in
      let lost = leaving.left.last { frame in
        guard let waits = Self.function(frame).flatMap({ entered[$0] }) else { return false }
        return waits.count >= Self.fewestBefore && waits.last < leaving.site.ticks
      }
      guard let lost, let file = lost.file else { return nil }
      let place = Place(path: file, line: lost.line)
      guard places.insert(place).inserted else { return nil }
      return Finding(
        .unreset, weight: 63, place: .line(place),
        "\(leaving.site.error), which was thrown at \(place: .stack(leaving.site.stack)), left \(lost.function ?? "") "
          + "here, and the task, which goes on, has not come here again: what is set back further down, "
          + "the error did not set back",
        evidence: [leaving.site.first], question: .backtrace(leaving.site.first))
    }
  }

  private static func function(_ frame: NamedFrame) -> Function? {
    guard !frame.isMachinery, let name = frame.function, let file = frame.file else { return nil }
    return Function(name: name, file: file)
  }
}
