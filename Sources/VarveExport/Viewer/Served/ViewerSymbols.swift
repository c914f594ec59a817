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

  /// The lines around a place that a page shows, `main.swift:12`. Many programs have a file of that name: if
  /// a stream of the trace is there, its module is known.
  func lines(of place: String, in definitions: TraceDefinitions) -> String? {
    guard !place.contains("/") else { return lines(of: place) }
    let places = definitions.streams.values.compactMap(\.place).filter {
      "\($0.file.split(separator: "/").last ?? ""):\($0.line)" == place
    }
    let whole = Set(places.map { "\($0.file):\($0.line)" })
    return lines(of: whole.count == 1 ? whole.first ?? place : place)
  }
}

/// What names code and shows its source, while a question is answered.
struct ViewerNames {
  let symbols: Symbolizer
  let lines: (String) -> String?
}
