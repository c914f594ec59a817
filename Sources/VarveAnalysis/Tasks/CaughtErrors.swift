public import VarveFormat
internal import VarveProbe

/// Where code catches the errors that were thrown, and makes nothing of them: guesses, since that may be
/// as it should be.
public struct CaughtErrors {
  /// The errors of which nothing is made, by where they are ignored, the most frequent first.
  public private(set) var ignored: [Finding] = []
  /// The errors that are caught where something is made of them.
  public private(set) var handled: [Finding] = []

  /// The errors of what was tried again at once, many times.
  public private(set) var retried: [Finding] = []
  /// The errors that left a loop, which is over, and are caught behind it.
  public private(set) var leftLoops: [Finding] = []
  /// The cancellations that functions reported by an error, of which those that had called them made
  /// nothing, or the same as of any error.
  public private(set) var cancelled: [Finding] = []
  /// The errors.
  let thrown: ThrownErrors
  /// The functions that each error left, the innermost first.
  private(set) var ways: [(site: ThrownErrors.Site, left: [NamedFrame])] = []

  private static let shown = 4
  /// So many errors of what was tried again are more than somebody meant.
  private static let fewestRetried: UInt64 = 100
  /// The source around each of their lines is read.
  private static let mostSites = 128

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
    var ended: [CatchSites.Site: [ThrownErrors.Site]] = [:]
    for site in thrown.sites.prefix(Self.mostSites) where !site.hasFailed {
      guard let stack = definitions.stacks[site.stack] else { continue }
      symbols.lookUpOwn(stack.frames)
      let frames = symbols.named(stack.frames)
      guard let (caught, position) = finder.catcher(of: site.error, in: frames) else { continue }
      let left = frames[..<position].filter { !$0.isMachinery && $0.line > 0 }
      guard site.error == ThrownErrors.cancellation else {
        found[caught, default: []].append(site)
        ways.append((site, left))
        continue
      }
      // Who ends its own sleep knows of it.
      if !left.isEmpty { ended[caught, default: []].append(site) }
    }
    let retries = found.filter {
      $0.key.retry != nil && $0.value.reduce(0) { $0 + $1.count } >= Self.fewestRetried
    }
    retried = Self.findings(retries, areRetried: true)
    found = found.filter { retries[$0.key] == nil }
    leftLoops = Self.findings(found.filter { $0.key.leftLoop != nil })
    ignored = Self.findings(found.filter { $0.key.isIgnored && $0.key.leftLoop == nil })
    handled = Self.findings(found.filter { !$0.key.isIgnored && $0.key.leftLoop == nil })
    cancelled = Self.findings(ended)
  }

  private static func findings(
    _ found: [CatchSites.Site: [ThrownErrors.Site]], areRetried: Bool = false
  ) -> [Finding] {
    found.sorted {
      let (one, other) = ($0.value[0], $1.value[0])
      return (one.ticks, one.first) < (other.ticks, other.first)
    }.prefix(shown).map { finding($0, $1, isRetried: areRetried) }
  }

  private static func finding(
    _ caught: CatchSites.Site, _ sites: [ThrownErrors.Site], isRetried: Bool
  ) -> Finding {
    let all = sites.reduce(0) { $0 + $1.count }
    let first = sites[0]
    let retry = isRetried ? caught.retry : nil
    let making =
      retry != nil
      ? "is caught in a loop that goes on here, and tries again at once"
      : caught.leftLoop != nil
        ? "left the loop here, which is over"
        : first.error == ThrownErrors.cancellation && !caught.isIgnored
          ? "is caught here: does this code mean those that were told to end?"
          : !caught.isIgnored
            ? "is caught here: what does this code make of it?"
            : caught.isOptional
              ? "ends here, where `try?` makes nothing of it"
              : "ends here, where nothing is made of it"
    var sentence: FindingSentence =
      "\(first.error), which was thrown at \(place: .stack(first.stack)), \(making)"
    if all > 1 { sentence = sentence + "; \(all, "error", "errors") ended here" }
    return Finding(
      .handled, weight: caught.isIgnored || caught.leftLoop != nil ? 61 : 35,
      place: .line(retry ?? caught.leftLoop ?? caught.place), sentence,
      evidence: [first.first], question: .backtrace(first.first))
  }
}
