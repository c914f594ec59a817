internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

extension Export {
  /// Writes a database of SQLite into the file that was named.
  func writeDatabase(
    _ trace: inout OpenedTrace, _ selection: Selection, orSay nothing: String?
  ) throws {
    guard let target else {
      throw CommandEnd(.wrongUsage, "a database is a file; name it: -o shop.db")
    }
    let reader = trace.reader
    let file = try OutputFile(target, force: force, besides: TraceInput.paths(files))
    guard let path = file.writablePath else {
      throw CommandEnd(.wrongUsage, "\(target) is no place for a database; name a file")
    }
    // Rows are stored by thread, and added fastest in that order.
    var query = try EventQuery(
      selection, in: reader, columns: .all, payloadsOf: nil, isByThread: true)
    let progress = Progress("export", isQuiet: output.isQuiet)
    let all = max(reader.blocks.reduce(0) { $0 + UInt64($1.count) }, 1)
    var done: UInt64 = 0
    let tables = TraceTables(reader, symbols: symbols.symbolizer(reader))
    let tasks = try TaskRows(tables)
    do throws(SQLiteError) {
      let writer = try DatabaseWriter(path, tables, tasks, losses: query.filter.losses)
      query.run { page in
        done += UInt64(page.due.count)
        progress.show(done, of: all)
        return writer.write(page)
      }
      progress.show(all, of: all)
      try writer.end(query.damage)
      if writer.leftOut > 0 { trace.note(["\(writer.leftOut) events are of too many threads"]) }
    } catch {
      progress.clear()
      throw CommandEnd(.unreadable, "cannot write \(target): \(error.message)")
    }
    progress.clear()
    try file.publish()
    trace.report(query.damage, query.passedOver.merged(tasks.passedOver))
    try trace.end(found: query.count > 0, orSay: nothing)
  }
}
