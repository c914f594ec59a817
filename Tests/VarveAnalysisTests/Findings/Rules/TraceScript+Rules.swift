import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

extension TraceScript {
  /// Returns what is found in the trace of this script.
  func findings() throws -> [Finding] {
    let folder = TemporaryFolder()
    let path = folder.file("script.varve")
    try write(to: path, blockEvents: 64)
    let reader = try TraceReader(path: path)
    return Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
  }

  /// Adds a property and the producer that stands for it.
  mutating func property(_ name: String) -> (changes: UInt32, producer: UInt32) {
    let changes = stream(name, "property", traits: [.hot, .replays])
    let producer = stream(
      name + ".producer", "producer", from: [changes], derived: true, traits: [.standsIn, .replays])
    return (changes, producer)
  }
}

extension Finding {
  /// Returns whether it is of a kind and points at the line of a stream.
  func `is`(_ kind: Kind, at stream: UInt32) -> Bool {
    self.kind == kind && place == .stream(stream)
  }
}
