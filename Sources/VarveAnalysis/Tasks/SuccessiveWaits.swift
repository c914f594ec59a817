internal import VarveFormat
internal import VarveProbe

/// The waits of a task that one of its functions made one after the other, by different calls.
struct SuccessiveWaits {
  private let waits: [CriticalWaits.Waits]
  private let names: StackNames

  private struct Function: Hashable {
    var name: String
    var file: String
  }

  init(_ waits: [CriticalWaits.Waits], _ names: StackNames) {
    (self.waits, self.names) = (waits, names)
  }

  /// Those of the innermost function, by its source, whose calls could run side by side; nil if there are
  /// none.
  var group: IndependentCalls.Group? {
    guard waits.count > 1 else { return nil }
    names.lookUp(waits.map(\.stack))
    // A call is known by where its function goes on after it.
    var calls: [Function: [StackFrame: IndependentCalls.Call]] = [:]
    var depths: [Function: Int] = [:]
    for wait in waits {
      let own = names.frames(of: wait.stack).filter { !$0.isMachinery && $0.line > 0 }
      for (depth, frame) in own.enumerated() {
        guard let name = frame.function, let file = frame.file else { continue }
        let function = Function(name: name, file: file)
        depths[function] = min(depth, depths[function] ?? depth)
        let isOfTask = depth == 0 && [.task, .group].contains(wait.awaited)
        let first = IndependentCalls.Call(
          frame: frame, callee: depth > 0 ? Self.shortName(own[depth - 1].function) : nil,
          isOfTask: isOfTask, nanoseconds: 0)
        calls[function, default: [:]][frame.frame, default: first].nanoseconds += wait.nanoseconds
      }
    }
    var sources = IndependentCalls()
    return calls.filter { $0.value.count > 1 }
      .sorted { (depths[$0.key] ?? 0, $0.key.name) < (depths[$1.key] ?? 0, $1.key.name) }
      .lazy.compactMap { function, calls in
        sources.group(of: calls.values.sorted { $0.frame.frame.address < $1.frame.frame.address })
      }.first { $0.spare * 10 >= $0.total * 3 }
  }

  /// Returns `fetch` of `Source.fetch(_:)`.
  private static func shortName(_ function: String?) -> String? {
    function?.prefix { !"(<".contains($0) }.split(separator: ".").last { $0 != "getter" }
      .map(String.init)
  }
}
