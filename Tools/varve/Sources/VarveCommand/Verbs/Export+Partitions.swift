internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

extension Export {
  /// The folder for files by day and program, if the target is one: it says so by the flag, by a slash
  /// at its end, or by being there.
  func partitionedFolder() throws(CommandEnd) -> String? {
    guard format == .parquet else {
      if partition {
        throw CommandEnd(.wrongUsage, "--partition goes with --format parquet")
      }
      return nil
    }
    guard let target else {
      if partition {
        throw CommandEnd(.wrongUsage, "--partition writes into a folder; name it: -o traces/")
      }
      return nil
    }
    guard partition || target.hasSuffix("/") || FileSystem.isFolder(target) else { return nil }
    var folder = target
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder
  }

  /// Writes Parquet into files by day and program.
  func writePartitions(
    into path: String, _ trace: inout OpenedTrace, _ selection: Selection, orSay nothing: String?
  ) throws {
    let reader = trace.reader
    let folder = try PartitionFolder(path, force: force)
    var query = try EventQuery(selection, in: reader, columns: .all)
    let words = TraceWords(
      reader, pid: reader.pid, style: .plain, symbols: symbols.symbolizer(reader))
    var exporter = PartitionedParquetExporter(
      words, header: reader.header, losses: query.filter.losses, to: folder)
    let progress = Progress("export", isQuiet: output.isQuiet)
    let span = TraceSpan(of: reader).ticks ?? 0...0
    query.run { page in
      exporter.write(page)
      let tick = page.lastTick ?? 0
      progress.show(tick - min(span.lowerBound, tick), of: span.upperBound - span.lowerBound)
      return exporter.isOpen
    }
    exporter.end()
    progress.clear()
    try folder.publish()
    trace.report(query.damage, query.passedOver.merged(exporter.passedOver))
    try trace.end(found: query.count > 0, orSay: nothing)
  }
}
