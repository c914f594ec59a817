internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Names of code and lines of source, for one question at a time: what finds them is slow, keeps
/// what it found, and serves one thread.
final class ViewerSymbols: Sendable {
  private let make: @Sendable (TraceDefinitions) -> Symbolizer
  private let box: Lock<Box>
  private let sources = Lock<SourceLines>(SourceLines())

  /// Safety: the symbolizer is used under the lock alone.
  private struct Box: @unchecked Sendable {
    var symbols: Symbolizer?
    var streams = 0
  }

  init(_ make: @escaping @Sendable (TraceDefinitions) -> Symbolizer) {
    self.make = make
    box = Lock(Box())
  }

  /// Lends the symbolizer of a trace.
  func with(_ snapshot: ViewerSnapshot, _ body: (ViewerNames) -> ViewerAnswer) -> ViewerAnswer {
    box.withLock { box in
      // A trace that grows gets further stacks and modules.
      let streams = snapshot.reader.definitions.stacks.count
      if box.symbols == nil || streams != box.streams {
        box.symbols = make(snapshot.reader.definitions)
        box.streams = streams
      }
      guard let symbols = box.symbols else { return .refused("there are no names") }
      return body(ViewerNames(symbols: symbols, lines: { self.lines(of: $0) }))
    }
  }

  /// The lines around a place, as JSON; nil if its file is not there.
  func lines(of place: String) -> String? { sources.withLock { $0.json(place) } }
}

/// What names code and shows its source, while a question is answered.
struct ViewerNames {
  let symbols: Symbolizer
  let lines: (String) -> String?
}
