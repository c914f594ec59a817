internal import VarveAnalysis
internal import VarveFormat

/// How two traces differ, as the page reads it.
enum ViewerComparison {
  /// Compares two traces, each with the argument that names it.
  static func json(
    _ left: TraceReader, _ leftName: String, _ right: TraceReader, _ rightName: String
  ) -> String {
    let names = [leftName, rightName].map { JSONText.quoted($0) }.joined(separator: ",")
    guard let found = try? TraceComparison(left, Selection(), right, Selection()) else {
      return "{\"files\":[\(names)],\"same\":0,\"isWhole\":true,\"rows\":[]}"
    }
    let sides = [(left, leftName), (right, rightName)].map { reader, name in
      ComparisonText.Side(
        TraceWords(reader, pid: reader.pid, style: .plain), lookup: EventLookup(reader), name: name)
    }
    let rows = ComparisonJSON(sides[0], sides[1]).text(found).split(separator: "\n")
    return """
      {"files":[\(names)],"same":\(found.same),"isWhole":\(found.isWhole),\
      "rows":[\(rows.joined(separator: ","))]}
      """
  }
}
