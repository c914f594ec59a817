internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// How the viewed trace differs from another: found out once, when it is first asked for.
final class ViewerDifference: Sendable {
  private let other: TraceReader
  private let name: String
  private let answer = Lock<(generation: Int, json: String)?>(nil)

  /// - Parameter name: the argument that names the other trace.
  init(_ other: TraceReader, name: String) {
    self.other = other
    self.name = name
  }

  func json(_ snapshot: ViewerSnapshot, _ files: [String]) -> ViewerAnswer {
    if let known = answer.withLock({ $0 }), known.generation == snapshot.generation {
      return .json(known.json)
    }
    let reader = snapshot.reader
    guard let found = try? TraceComparison(reader, Selection(), other, Selection()) else {
      return .missing("events to compare")
    }
    let sides = [(reader, files.joined(separator: " ")), (other, name)].map { reader, name in
      ComparisonText.Side(
        TraceWords(reader, pid: reader.pid, style: .plain), lookup: EventLookup(reader), name: name)
    }
    let rows = ComparisonJSON(sides[0], sides[1]).text(found).split(separator: "\n")
    let names = [files.joined(separator: " "), name].map { JSONText.quoted($0) }
    let json = """
      {"files":[\(names.joined(separator: ","))],"same":\(found.same),"isWhole":\(found.isWhole),\
      "rows":[\(rows.joined(separator: ",\n"))]}
      """
    answer.withLock { $0 = (snapshot.generation, json) }
    return .json(json)
  }
}
