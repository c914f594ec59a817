/// A trace that is read while it is being written, across all the files that it continues in.
///
/// `run.varve` is always the file being written. A rotation renames it to `run-1.varve`, and so on;
/// a flight recorder rewrites it from time to time; people move it away. Each time, another file
/// takes its place, with the same recording ID, and the threads' records continue in it with the
/// numbers they would have had. The file that a record is in does not determine its time, so the
/// files must be read as one.
public struct GrowingTrace {
  /// The path at which the trace is being written.
  public let path: String
  /// The files being read, oldest first: the one being written, preceded by those that it replaced.
  /// Records that are in two of them are the same.
  public private(set) var parts: [TraceReader]
  /// Whether nothing more will be written.
  public private(set) var isOver: Bool
  /// The number of the last finished file of a rotation that was examined.
  private var number = 0

  /// Begins with the file that is at its path now.
  public init(_ reader: TraceReader) {
    path = reader.path
    parts = [reader]
    isOver = reader.ending != .running
    let finished = RotatedFiles.of(reader.header.id, beside: path)
    // It may have been finished since it was opened.
    let own = finished.first { reader.isAt($0.path) }
    number = own?.number ?? finished.last?.number ?? 0
  }

  /// The file that the trace was last written to.
  public var latest: TraceReader { parts[parts.count - 1] }

  /// Reads what has been written since, continuing in other files if necessary.
  public mutating func refresh() throws(TraceFileError) {
    let last = try latest.refreshed()
    parts[parts.count - 1] = last
    guard last.isReplaced || last.path != path else {
      isOver = last.ending != .running
      return
    }
    // Opened before the search for the others, so that the search finds files finished by then.
    let current = try? TraceReader(path: path)
    let isSame = current?.header.id == last.header.id
    for file in RotatedFiles.of(last.header.id, beside: path) where file.number > number {
      // A file that is being finished at this moment has both names.
      if let current, current.isAt(file.path) { break }
      number = file.number
      if !last.isAt(file.path), let part = try? TraceReader(path: file.path) { parts.append(part) }
    }
    if let current, isSame {
      parts.append(current)
      isOver = current.ending != .running
    } else {
      isOver = current != nil || (try? Sidecar.writer(ofTraceAt: path))?.isRunning != true
    }
  }

  /// Closes files that are no longer needed, except the latest.
  public mutating func close(where isDone: (TraceReader) -> Bool) {
    let latest = parts.removeLast()
    parts.removeAll(where: isDone)
    parts.append(latest)
  }
}
