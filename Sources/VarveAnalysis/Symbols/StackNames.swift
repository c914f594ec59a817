internal import VarveFormat
internal import VarveProbe

/// The names of the code in a trace's stacks; without a symbolizer, none.
struct StackNames {
  let stacks: [UInt32: StackDefinition]
  private let symbols: Symbolizer?

  init(_ definitions: TraceDefinitions, _ symbols: Symbolizer?) {
    stacks = definitions.stacks
    self.symbols = symbols
  }

  /// Looks up many stacks at once, which is quicker than one after the other.
  func lookUp(_ ids: some Sequence<UInt32>) {
    symbols?.lookUpOwn(ids.flatMap { stacks[$0]?.frames ?? [] })
  }

  /// Returns the frames of a stack; empty if it has no names.
  func frames(of stack: UInt32) -> [NamedFrame] {
    guard let symbols, let frames = stacks[stack]?.frames else { return [] }
    symbols.lookUpOwn(frames)
    return symbols.named(frames)
  }

  /// Returns the line of the innermost function of a stack that stands in a loop there; nil if the source
  /// is not there, or none does, or if the innermost waits for a continuation of the program's own.
  func lineInLoop(of stack: UInt32) -> Place? {
    guard symbols?.lineOfWaiter(in: stacks[stack]?.frames ?? []) == nil else { return nil }
    var sources = SourceLines()
    for frame in frames(of: stack) where !frame.isMachinery && frame.line > 0 {
      guard let file = frame.file, let source = sources.source(at: frame) else { return nil }
      if source.isInLoop {
        return Place(path: file, line: frame.line)
      }
    }
    return nil
  }

  /// Returns the head of the outermost loop that the program's own code in a stack stands in, if that waits
  /// for nothing, and the source is there.
  func headOfLoop(in stack: UInt32) -> Place? {
    var sources = SourceLines()
    return frames(of: stack).reversed().lazy.filter { !$0.isMachinery && $0.line > 0 }
      .compactMap { frame -> Place? in
        guard let file = frame.file, let source = sources.source(at: frame) else { return nil }
        return source.headOfOutermostLoop.map { Place(path: file, line: UInt32($0)) }
      }.first
  }

  /// Returns the innermost frame of a stack that is of the program's own code.
  func own(of stack: UInt32) -> NamedFrame? { frames(of: stack).mostOwn }
}
