import Measurement
import VarveAnalysis
import VarveExport
import VarveFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Reading a trace as the command does, into the void.
public enum ReaderWorkload {
  /// What one round measured.
  public struct Round {
    /// CPU for each event of the trace.
    public var nanoseconds: Double
    /// Blocks that were unpacked.
    public var blocks: Int
  }

  /// `varve replay FILE`, or `varve replay FILE -n NAME`.
  public static func text(_ path: String, name: String? = nil) throws -> Round {
    var selection = Selection()
    if let name { selection.names = [try NamePattern(name)] }
    return try timed(path) { reader, output in
      var query = try EventQuery(
        selection, in: reader, columns: EventTextRenderer.columns(for: .usual))
      let renderer = EventTextRenderer(
        source: reader, filter: query.filter, pid: reader.header.process.pid, output: output)
      run(&query, renderer, output)
    }
  }

  /// `varve replay FILE --format ndjson`.
  public static func json(_ path: String) throws -> Round {
    try timed(path) { reader, output in
      var query = try EventQuery(Selection(), in: reader, columns: .all)
      run(
        &query,
        EventJSONRenderer(source: reader, pid: reader.header.process.pid, output: output), output)
    }
  }

  /// Every column of every block.
  public static func decoding(_ path: String) throws -> Round {
    try timed(path) { reader, _ in
      var columns = EventColumns()
      for block in reader.blocks.indices {
        try reader.decode(block, into: &columns, columns: .all)
      }
    }
  }

  /// CPU milliseconds of opening a trace and telling what it is, as `varve info` does.
  public static func opening(_ path: String) throws -> Double {
    let began = CPUClock.thread.now
    let reader = try TraceReader(path: path)
    let text = TraceSummaryText(reader, style: .plain).text()
    precondition(!text.isEmpty, "a trace has something to tell")
    return Double(CPUClock.thread.now - began) / 1e6
  }

  private static func run(
    _ query: inout EventQuery<TraceReader>, _ renderer: some EventRenderer, _ output: ByteOutput
  ) {
    renderer.begin()
    query.run { page in
      renderer.render(page)
      return output.isOpen
    }
    renderer.end()
    output.flush()
  }

  private static func timed(
    _ path: String, _ body: (TraceReader, ByteOutput) throws -> Void
  ) throws -> Round {
    let void = open("/dev/null", O_WRONLY)
    defer { close(void) }
    let output = ByteOutput { write(void, $0.baseAddress, $0.count) < 0 ? errno : nil }
    let began = CPUClock.thread.now
    let reader = try TraceReader(path: path)
    try body(reader, output)
    let took = CPUClock.thread.now - began
    return Round(
      nanoseconds: Double(took) / Double(reader.events), blocks: reader.inflatedBlocks)
  }
}
