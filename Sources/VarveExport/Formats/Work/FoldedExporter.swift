public import VarveAnalysis

/// Writes folded stacks, from which `flamegraph.pl` and others draw flame graphs: a line for each
/// thread and the work on it, with the nanoseconds that it took.
public struct FoldedExporter: EventwiseExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private var stacks: WorkStacks

  /// Prepares to export.
  public init(_ words: TraceWords, output: ByteOutput) {
    self.words = words
    self.output = output
    stacks = WorkStacks(words)
  }

  /// The work that could not be remembered.
  public var passedOver: PassedOver { words.walk.passedOver }

  /// Does nothing: everything is written at the end.
  public mutating func begin() {}

  /// Adds the time that a piece of work took.
  public mutating func write(_ event: TraceEvent) { stacks.write(event) }

  /// Writes the lines.
  public mutating func end() {
    stacks.end()
    for node in stacks.nodes.indices where stacks.nodes[node].time > 0 {
      let frames = stacks.frames(of: node).map { Self.frame(stacks.names[$0]) }
      output.write("\(frames.joined(separator: ";")) \(stacks.nodes[node].time)\n")
    }
  }

  /// Returns a name without the character that separates frames.
  private static func frame(_ name: String) -> String {
    name.split(separator: ";", omittingEmptySubsequences: false).joined(separator: ",")
  }
}
