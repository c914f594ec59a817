public import VarveFormat
internal import VarveProbe

/// Where code catches the errors that were thrown, and makes nothing of them: guesses, since that may be
/// as it should be.
public struct CaughtErrors {
  /// The errors of which nothing is made, by where they are ignored, the most frequent first.
  public private(set) var ignored: [Finding] = []
  /// The errors that are caught where something is made of them.
  public private(set) var handled: [Finding] = []

  /// The errors.
  let thrown: ThrownErrors

  private static let shown = 4

  /// Looks for who catches errors.
  ///
  /// - Parameters:
  ///   - thrown: The errors.
  ///   - definitions: The trace's, for the stacks of the code that threw them.
  ///   - symbols: The names of code.
  public init(_ thrown: ThrownErrors, _ definitions: TraceDefinitions, _ symbols: Symbolizer) {
    self.thrown = thrown
    var finder = CatchSites()
    var found: [CatchSites.Site: [ThrownErrors.Site]] = [:]
    for site in thrown.sites where site.error != ThrownErrors.cancellation && !site.hasFailed {
      guard let stack = definitions.stacks[site.stack] else { continue }
      symbols.lookUpOwn(stack.frames)
      guard let caught = finder.site(of: site.error, in: symbols.named(stack.frames)) else {
        continue
      }
      found[caught, default: []].append(site)
    }
    let sorted = found.sorted {
      let (one, other) = ($0.value[0], $1.value[0])
      return (one.ticks, one.first) < (other.ticks, other.first)
    }
    ignored = sorted.filter { $0.key.isIgnored }.prefix(Self.shown).map(Self.finding)
    handled = sorted.filter { !$0.key.isIgnored }.prefix(Self.shown).map(Self.finding)
  }

  private static func finding(
    _ caught: CatchSites.Site, _ sites: [ThrownErrors.Site]
  ) -> Finding {
    let all = sites.reduce(0) { $0 + $1.count }
    let first = sites[0]
    let making =
      !caught.isIgnored
      ? "is caught here: what does this code make of it?"
      : caught.isOptional
        ? "ends here, where `try?` makes nothing of it" : "ends here, where nothing is made of it"
    var sentence: FindingSentence =
      "\(first.error), which was thrown at \(place: .stack(first.stack)), \(making)"
    if all > 1 { sentence = sentence + "; \(all, "error", "errors") ended here" }
    return Finding(
      .handled, weight: caught.isIgnored ? 61 : 35, place: .line(caught.place), sentence,
      evidence: [first.first], question: .backtrace(first.first))
  }
}
