import VarveAnalysis
import VarveFormat
import VarveTraceScript

extension TraceScript {
  /// Returns what is found in the trace that the script tells.
  func found(ending: TraceEnding? = .clean) throws -> [Finding] {
    let folder = TemporaryFolder()
    let path = folder.file("found.varve")
    try write(to: path, blockEvents: 512, ending: ending)
    let reader = try TraceReader(path: path)
    return Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
  }
}
