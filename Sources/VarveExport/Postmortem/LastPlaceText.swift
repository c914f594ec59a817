internal import VarveAnalysis
internal import VarveFormat

/// Writes where a program died or hangs: the line, marked, and what its thread did there.
struct LastPlaceText {
  let words: TraceWords
  let lookup: EventLookup

  /// Returns the lines, which fit below a title.
  func lines(_ last: LastPlace) -> [String] {
    let place = words.style.escaped(last.frame.place.description)
    return [words.style.paint(words.mark + place, .failed)]
      + words.style.wrapped(sentence(last), indent: 2).map { "  " + $0 }
  }

  private func sentence(_ last: LastPlace) -> String {
    let function = words.style.escaped(last.frame.function)
    let thread = last.ring.map { "thread \(words.numbered(thread: $0))" } ?? "a thread"
    let event = last.event.flatMap { lookup[$0] }
    return switch event?.kind {
    case .waitBegan:
      "\(thread) has been waiting here since \(words.moment(event?.ticks ?? 0)), in \(function)"
    case nil: "\(thread) crashed here, in \(function)"
    case .value where last.isCrash:
      "\(thread) crashed after " + (event.map { "#\($0.name) \(words.phrase($0))" } ?? "")
        + ", in the observer that was attached here, in \(function)"
    default:
      "\(thread) did not go on after " + (event.map { "#\($0.name) \(words.phrase($0))" } ?? "")
        + ", in \(function)"
    }
  }
}
