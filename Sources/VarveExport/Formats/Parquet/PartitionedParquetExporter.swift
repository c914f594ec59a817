package import VarveAnalysis
package import VarveFormat

/// The files into which a partitioned export is written.
package protocol PartitionedFiles: AnyObject {
  /// Begins a file, and returns its output; nil if there can be no more files.
  func begin(_ partition: TracePartition) -> ByteOutput?

  /// Ends a file, to whose output nothing more is written.
  func end(_ output: ByteOutput)
}

/// Writes Parquet into files by day, in UTC, and program, as databases read them together.
///
/// Events come in the order of time: the files of a day end before those of the next one begin. A
/// merge of many processes has one open file for each, and all of these together hold no more rows
/// than a single file does.
package struct PartitionedParquetExporter: TraceExporter {
  private final class Part {
    var file: ParquetFile
    var rows: ParquetRows
    let output: ByteOutput

    init(_ file: ParquetFile, _ rows: ParquetRows, _ output: ByteOutput) {
      self.file = file
      self.rows = rows
      self.output = output
    }
  }

  private let words: TraceWords
  private let header: TraceHeader
  private let processes: RecordedProcesses
  private let files: any PartitionedFiles
  private let packer = GzipPacker()
  /// What was lost and has no row yet, in the order of time.
  private var losses: ArraySlice<TraceLoss>
  /// The open files of a day, by the places of their processes.
  private var parts: [Int: Part] = [:]
  private var day: Int64?
  /// The rows that are held, and the size of their texts.
  private var (rows, bytes) = (0, 0)
  /// Whether events are still written; false once a file could not be.
  package private(set) var isOpen = true

  /// The place of rows whose process is not known.
  private static let unknown = -1

  package init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [],
    to files: any PartitionedFiles
  ) {
    self.words = words
    self.header = header
    self.files = files
    self.losses = losses.sorted { $0.ticks.lowerBound < $1.ticks.lowerBound }[...]
    processes = RecordedProcesses(header, words.definitions)
  }

  /// Does nothing: files begin with their first rows.
  package mutating func begin() {}

  /// Adds rows.
  package mutating func write(_ page: EventPage) {
    page.forEachRun { entries, block in
      let place = processes.place(ofRing: block.ring) ?? Self.unknown
      for entry in entries {
        let index = Int(entry.index)
        let ticks = block.ticks[index]
        addLosses(upTo: ticks)
        add(at: ticks, to: place) { $0.add(index, block) }
      }
    }
  }

  /// Ends all files.
  package mutating func end() {
    addLosses(upTo: .max)
    endFiles()
  }

  @inline(__always)
  private mutating func addLosses(upTo ticks: UInt64) {
    while let loss = losses.first, loss.ticks.lowerBound <= ticks {
      losses.removeFirst()
      let place = processes.place(ofRing: loss.ring) ?? Self.unknown
      add(at: loss.ticks.lowerBound, to: place) { $0.add(loss) }
    }
  }

  private mutating func add(
    at ticks: UInt64, to place: Int, _ add: (inout ParquetRows) -> Void
  ) {
    let moment = words.sinceEpoch(ticks, started: header.process.started)
    let day = TracePartition.day(of: moment)
    if day != self.day {
      endFiles()
      self.day = day
    }
    guard let part = parts[place] ?? begin(place, from: moment) else { return }
    let before = part.rows.bytes
    add(&part.rows)
    rows += 1
    bytes += part.rows.bytes - before
    if rows >= ParquetRows.mostRows || bytes > ParquetRows.mostBytes { writeLargest() }
  }

  private mutating func begin(_ place: Int, from moment: Int64) -> Part? {
    guard isOpen else { return nil }
    let process = processes.all.indices.contains(place) ? processes.all[place] : nil
    let partition = TracePartition(program: process?.shortProgram, pid: process?.pid, first: moment)
    guard let output = files.begin(partition) else {
      isOpen = false
      return nil
    }
    var file = ParquetFile(output, packer: packer)
    file.begin()
    let part = Part(file, ParquetRows(words, started: header.process.started), output)
    parts[place] = part
    return part
  }

  /// Writes the rows of the file that has most.
  private mutating func writeLargest() {
    let largest = parts.values.max {
      ($0.rows.count, $0.rows.bytes) < ($1.rows.count, $1.rows.bytes)
    }
    guard let largest else { return }
    write(largest)
    // Columns keep their memory for the next group. Those of many files are too large for that.
    if parts.count > 1 {
      largest.rows = ParquetRows(words, started: header.process.started)
    }
    isOpen = isOpen && largest.output.isOpen
  }

  private mutating func write(_ part: Part) {
    rows -= part.rows.count
    bytes -= part.rows.bytes
    part.rows.write(to: &part.file)
  }

  private mutating func endFiles() {
    for place in parts.keys.sorted() {
      guard let part = parts[place] else { continue }
      write(part)
      let process = processes.all.indices.contains(place) ? processes.all[place] : nil
      part.file.end(
        part.rows.columns,
        facts: [
          ("varve.program", process?.program ?? ""), ("varve.pid", String(process?.pid ?? 0)),
          // Of a merge, the header has that of the first process.
          ("varve.host", processes.areSeveral ? "" : header.process.host),
          ("varve.started_ns", String(header.process.started)),
        ])
      files.end(part.output)
      isOpen = isOpen && part.output.isOpen
    }
    parts = [:]
  }
}
