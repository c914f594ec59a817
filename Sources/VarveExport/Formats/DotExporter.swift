public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes the graph of the streams in Graphviz's language, for `dot -Tsvg`.
///
/// Streams with the same name and place are one node: a producer that was started a hundred times
/// makes a hundred. A line leads from each stream to those that it feeds; it is dashed where only
/// an observation shows that.
public struct DotExporter: EventwiseExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private var nodes: [Node] = []
  private var places: [UInt32: Int] = [:]
  private var links: Set<Link> = []

  private struct Node {
    var name: String
    var place: String?
    var isNamed: Bool
    var streams = 0
    var values: UInt64 = 0
    var hasFailed = false
  }

  private struct Link: Hashable {
    var from: Int
    var to: Int
  }

  private static let linkBytes = 96

  /// Prepares to export.
  public init(_ words: TraceWords, output: ByteOutput) {
    self.words = words
    self.output = output
  }

  /// Lines that could not be remembered.
  public var passedOver: PassedOver { words.walk.passedOver }

  /// Puts streams that are alike together, and writes what feeds what.
  public mutating func begin() {
    var known: [String: Int] = [:]
    let streams = words.definitions.streams.values.sorted { $0.id < $1.id }
    for stream in streams {
      let place = words.places.exact(stream.id).map { "\($0.file):\($0.line)" }
      let key = "\(stream.name)\0\(place ?? "")"
      let node = known[key] ?? nodes.count
      if node == nodes.count {
        known[key] = node
        nodes.append(Node(name: stream.name, place: place, isNamed: stream.isNamed))
      }
      nodes[node].streams += 1
      places[stream.id] = node
    }
    output.write("digraph streams {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n")
    for stream in streams {
      for parent in stream.parents { link(parent, stream.id, "") }
    }
  }

  /// Counts a value, or writes that a stream was seen to feed another.
  public mutating func write(_ event: TraceEvent) {
    switch event.kind {
    case .value: if let node = places[event.stream] { nodes[node].values += 1 }
    case .failed: if let node = places[event.stream] { nodes[node].hasFailed = true }
    case .subscribed:
      link(event.stream, SubscriptionPayload(word: event.payload.word).stream, " [style=dashed]")
    default: break
    }
  }

  /// Writes the streams.
  public mutating func end() {
    for (number, node) in nodes.enumerated() {
      var lines = [node.name]
      if let place = node.place { lines.append(place) }
      let streams = node.streams > 1 ? "\(node.streams) streams, " : ""
      lines.append("\(streams)\(node.values) value\(node.values == 1 ? "" : "s")")
      let label = lines.map(Self.escaped).joined(separator: "\\n")
      let style = (node.isNamed ? ", style=bold" : "") + (node.hasFailed ? ", color=red" : "")
      output.write("  s\(number) [label=\"\(label)\"\(style)];\n")
    }
    output.write("}\n")
  }

  private mutating func link(_ from: UInt32, _ to: UInt32, _ style: String) {
    guard let from = places[from], let to = places[to], from != to else { return }
    let link = Link(from: from, to: to)
    guard !links.contains(link), words.walk.take(Self.linkBytes, or: .observations) else { return }
    links.insert(link)
    output.write("  s\(from) -> s\(to)\(style);\n")
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in TerminalText.escaped(text) {
      if character == "\"" || character == "\\" { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
