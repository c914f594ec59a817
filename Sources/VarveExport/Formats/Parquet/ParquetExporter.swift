public import VarveAnalysis
public import VarveFormat

/// Writes Apache Parquet, which DuckDB, pandas, ClickHouse and others read: a row for each event.
///
/// The columns are the keys of the NDJSON form, with the moment as such, and numbers as numbers
/// beside their texts. Losses are rows of the kind `lost`, before the events.
public struct ParquetExporter: TraceExporter {
  private let process: ProcessDescription
  private let losses: [TraceLoss]
  private var file: ParquetFile
  private var rows: ParquetRows

  /// Prepares to export.
  public init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [], output: ByteOutput
  ) {
    self.losses = losses
    process = header.process
    file = ParquetFile(output)
    rows = ParquetRows(words, started: process.started)
  }

  /// Writes rows for what was lost.
  public mutating func begin() {
    file.begin()
    for loss in losses { rows.add(loss) }
  }

  /// Adds rows.
  public mutating func write(_ page: EventPage) {
    page.forEachRun { entries, block in
      for entry in entries {
        rows.add(Int(entry.index), block)
        if rows.areEnough { rows.write(to: &file) }
      }
    }
  }

  /// Writes the rest of the rows, and the description of the file.
  public mutating func end() {
    rows.write(to: &file)
    file.end(
      rows.columns,
      facts: [
        ("varve.program", process.program), ("varve.pid", String(process.pid)),
        ("varve.host", process.host), ("varve.started_ns", String(process.started)),
      ])
  }
}
