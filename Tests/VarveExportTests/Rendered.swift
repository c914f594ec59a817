import VarveAnalysis
import VarveExport
import VarveFormat
import VarveTraceScript

/// A trace in a folder of its own, and what renderers make of it.
final class Rendered {
  let folder = TemporaryFolder()
  let reader: TraceReader

  init(_ script: TraceScript, blockEvents: Int = 4096) throws {
    try script.write(to: folder.file("trace.varve"), blockEvents: blockEvents)
    reader = try TraceReader(path: folder.file("trace.varve"))
  }

  /// The events as text for people.
  func text(
    _ selection: Selection = Selection(), fields: EventFields = .usual, time: TimeForm = .elapsed,
    style: OutputStyle = .plain
  ) throws -> String {
    try collect(selection) { filter, output in
      EventTextRenderer(
        source: self.reader, filter: filter, pid: 4711, fields: fields, time: time, style: style,
        output: output)
    }
  }

  /// The events as JSON.
  func json(_ selection: Selection = Selection(), isArray: Bool = false) throws -> String {
    try collect(selection) { filter, output in
      EventJSONRenderer(
        source: self.reader, filter: filter, pid: 4711, isArray: isArray, output: output)
    }
  }

  /// The events with commas between.
  func csv(_ selection: Selection = Selection()) throws -> String {
    try collect(selection) { filter, output in
      EventCSVRenderer(source: self.reader, filter: filter, pid: 4711, output: output)
    }
  }

  private func collect(
    _ selection: Selection, _ make: (EventFilter, ByteOutput) -> any EventRenderer
  ) throws -> String {
    var query = try EventQuery(selection, in: reader, columns: .all)
    return Self.written { output in
      let renderer = make(query.filter, output)
      renderer.begin()
      query.run { page in
        renderer.render(page)
        return true
      }
      renderer.end()
    }
  }

  /// What `write` writes.
  static func written(_ write: (ByteOutput) throws -> Void) rethrows -> String {
    let bytes = Collected()
    // A buffer that is smaller than a line: each line must find its room.
    let output = ByteOutput(capacity: 100) { part in
      bytes.all += part
      return nil
    }
    try write(output)
    output.flush()
    return String(decoding: bytes.all, as: UTF8.self)
  }

  private final class Collected { var all: [UInt8] = [] }
}
