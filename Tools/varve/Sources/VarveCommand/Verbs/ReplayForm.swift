internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// The format and destination of events.
struct ReplayForm {
  let format: Replay.Format
  let fields: EventFields
  let time: TimeForm
  var style: OutputStyle
  let pid: UInt32
  /// Finds the places of operators; nil if no line shows them.
  var symbols: Symbolizer?
  let output: ByteOutput

  /// The columns that a renderer needs.
  var columns: ColumnSet { format == .text ? EventTextRenderer.columns(for: fields) : .all }

  /// Returns a renderer for the events of a query.
  func renderer(_ source: some EventSource, _ filter: EventFilter) -> any EventRenderer {
    switch format {
    case .text: text(source, filter, showsLosses: true)
    case .ndjson, .json:
      EventJSONRenderer(
        source: source, filter: filter, pid: pid, isArray: format == .json, output: output)
    case .csv: EventCSVRenderer(source: source, filter: filter, pid: pid, output: output)
    }
  }

  /// Returns a renderer of text.
  ///
  /// - Parameter showsLosses: whether there are lines that are no events, where these are missing.
  func text(
    _ source: some EventSource, _ filter: EventFilter, showsLosses: Bool = false
  ) -> EventTextRenderer {
    EventTextRenderer(
      source: source, filter: filter, pid: pid, fields: fields, time: time, style: style,
      symbols: symbols, showsLosses: showsLosses, output: output)
  }
}
