public import VarveAnalysis

/// Writes the form of speedscope.app: a profile for each thread, with the work on it and the
/// nanoseconds that it took.
public struct SpeedscopeExporter: EventwiseExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private let program: String
  private var stacks: WorkStacks

  /// Prepares to export.
  public init(_ words: TraceWords, program: String, output: ByteOutput) {
    self.words = words
    self.program = program
    self.output = output
    stacks = WorkStacks(words)
  }

  /// The work that could not be remembered.
  public var passedOver: PassedOver { words.walk.passedOver }

  /// Does nothing: everything is written at the end.
  public mutating func begin() {}

  /// Adds the time that a piece of work took.
  public mutating func write(_ event: TraceEvent) { stacks.write(event) }

  /// Writes the profiles.
  public mutating func end() {
    stacks.end()
    let frames = stacks.names.map { JSONMembers().adding("name", JSONText.quoted($0)).text }
    output.write(
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"varve\","
        + "\"name\":\(JSONText.quoted(program)),\"activeProfileIndex\":0,\"shared\":{\"frames\":["
        + frames.joined(separator: ",\n") + "]},\"profiles\":[")
    var profiles: [Int: [Int]] = [:]
    for node in stacks.nodes.indices where stacks.nodes[node].time > 0 {
      profiles[stacks.frames(of: node)[0], default: []].append(node)
    }
    for (index, thread) in profiles.keys.sorted().enumerated() {
      output.write((index == 0 ? "\n" : ",\n") + profile(thread, profiles[thread] ?? []))
    }
    output.write("\n]}\n")
  }

  private func profile(_ thread: Int, _ nodes: [Int]) -> String {
    let samples = nodes.map { node in
      "[" + stacks.frames(of: node).map(String.init).joined(separator: ",") + "]"
    }
    let times = nodes.map { stacks.nodes[$0].time }
    return JSONMembers().adding("type", "\"sampled\"")
      .adding("name", JSONText.quoted(stacks.names[thread])).adding("unit", "\"nanoseconds\"")
      .adding("startValue", "0").adding("endValue", String(times.reduce(0, &+)))
      .adding("samples", "[\(samples.joined(separator: ","))]")
      .adding("weights", "[\(times.map(String.init).joined(separator: ","))]").text
  }
}
