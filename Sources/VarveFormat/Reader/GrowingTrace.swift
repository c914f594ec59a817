/// A trace that somebody reads while it is being written, through all the files that it goes on in.
///
/// `run.varve` is always the file that is being written. By a rotation it becomes `run-1.varve`, …;
/// a flight recorder writes it anew from time to time; people move it away. Each time another file
/// takes its place, which bears the same recording's id, and the threads' records go on in it with
/// the numbers that they would have had. In which file a record lies tells nothing of its time:
/// the files have to be read as one.
public struct GrowingTrace {
  /// Where the trace is being written.
  public let path: String
  /// The files that are read at present, oldest first: the one that is being written, and before it
  /// those in whose place it stands. Records that are in two of them are the same.
  public private(set) var parts: [TraceReader]
  /// Whether nothing more is to come.
  public private(set) var isOver: Bool
  /// The number of the last finished file of a rotation that was looked at.
  private var number = 0

  /// Begins with the file that is in its place now.
  public init(_ reader: TraceReader) {
    path = reader.path
    parts = [reader]
    isOver = reader.ending != .running
    let finished = RotatedFiles.of(reader.header.id, beside: path)
    // It may have been finished since it was opened.
    let own = finished.first { reader.isAt($0.path) }
    number = own?.number ?? finished.last?.number ?? 0
  }

  /// The file that the trace was written to last.
  public var latest: TraceReader { parts[parts.count - 1] }

  /// Reads what has been written since, in other files than before if need be.
  public mutating func refresh() throws(TraceFileError) {
    let last = try latest.refreshed()
    parts[parts.count - 1] = last
    guard last.isReplaced || last.path != path else {
      isOver = last.ending != .running
      return
    }
    // Opened before the others are looked for: what is finished by then is found among them.
    let current = try? TraceReader(path: path)
    let isSame = current?.header.id == last.header.id
    for file in RotatedFiles.of(last.header.id, beside: path) where file.number > number {
      // A file that is finished at this moment has both names.
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

  /// Closes files of which nothing is needed any more, but for the latest one.
  public mutating func close(where isDone: (TraceReader) -> Bool) {
    let latest = parts.removeLast()
    parts.removeAll(where: isDone)
    parts.append(latest)
  }
}
