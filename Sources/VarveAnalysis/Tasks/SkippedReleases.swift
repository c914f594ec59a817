internal import VarveFormat
internal import VarveProbe

/// Finds errors that left a function after the place where others now wait in it: what it gives back
/// further down, a permit or a lock of the program's own, it did not give back then.
struct SkippedReleases {
  /// The line through which errors left.
  struct Exit {
    var place: Place
    var error: ThrownErrors.Site
    var count: UInt64
  }

  private let thrown: [(site: ThrownErrors.Site, frames: [NamedFrame])]
  private let definitions: TraceDefinitions
  private let symbols: Symbolizer
  private var catches = CatchSites()

  init(_ thrown: ThrownErrors, _ definitions: TraceDefinitions, _ symbols: Symbolizer) {
    self.definitions = definitions
    self.symbols = symbols
    self.thrown = thrown.sites.compactMap { site in
      definitions.stacks[site.stack].map { (site, Self.own($0, symbols)) }
    }
  }

  private static func own(_ stack: StackDefinition, _ symbols: Symbolizer) -> [NamedFrame] {
    symbols.lookUpOwn(stack.frames)
    return symbols.named(stack.frames).filter { !$0.isMachinery && $0.line > 0 && $0.file != nil }
  }

  /// Returns the line that most errors left through of the functions that wait at a stack, the innermost
  /// of these first; nil if none did.
  mutating func exit(whileWaitingAt stack: UInt32) -> Exit? {
    guard !thrown.isEmpty, let stack = definitions.stacks[stack] else { return nil }
    for waiter in Self.own(stack, symbols) {
      var exits: [Place: Exit] = [:]
      for (site, frames) in thrown {
        guard let place = place(from: site.error, frames, after: waiter) else { continue }
        exits[place, default: Exit(place: place, error: site, count: 0)].count += site.count
      }
      let most = exits.values.max { ($0.count, $1.place.line) < ($1.count, $0.place.line) }
      if let most { return most }
    }
    return nil
  }

  /// Returns the line of a waiting function that an error left, if it is further down.
  private mutating func place(
    from error: String, _ frames: [NamedFrame], after waiter: NamedFrame
  ) -> Place? {
    let position = frames.firstIndex {
      $0.function == waiter.function && $0.file == waiter.file && $0.line > waiter.line
    }
    guard let position, let file = waiter.file else { return nil }
    let left = frames[position]
    guard catches.site(of: error, in: Array(frames[...position])) == nil,
      !catches.defers(in: file, between: waiter.line, and: left.line)
    else { return nil }
    return Place(path: file, line: left.line)
  }
}
