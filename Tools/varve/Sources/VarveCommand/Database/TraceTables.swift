internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveProbe

/// The numbers of events in SQL: that of the thread, and 40 bits of the ordinal.
struct EventNumbers {
  /// The rings, by the numbers of their threads.
  private(set) var rings: [Int64: UInt32] = [:]
  private var threads: [UInt32: Int64] = [:]

  private static let ordinalMask: UInt64 = 1 << TraceSchema.ordinalBits - 1
  /// The number of bits that are left for threads in a signed number.
  private static let threadBits: UInt64 = 63 - TraceSchema.ordinalBits

  /// Numbers the threads of a trace: as they are numbered in it, if that leaves room.
  init(_ reader: TraceReader) {
    let all = Set(reader.definitions.threads.keys).union(reader.blocks.lazy.map(\.ring))
    let keeps = all.allSatisfy { $0 < 1 << Self.threadBits }
    for (index, ring) in all.sorted().enumerated() where index < 1 << Self.threadBits {
      let number = keeps ? Int64(ring) : Int64(index)
      threads[ring] = number
      rings[number] = ring
    }
  }

  /// Returns the number of an event; nil if the trace has nothing of its thread.
  func number(_ event: EventName) -> Int64? {
    guard let thread = threads[event.ring], event.sequence <= Self.ordinalMask else { return nil }
    return thread << Int64(TraceSchema.ordinalBits) | Int64(event.sequence)
  }

  /// Returns the event with a number.
  func event(_ number: Int64) -> EventName? {
    guard let ring = rings[number >> Int64(TraceSchema.ordinalBits)] else { return nil }
    return EventName(ring: ring, sequence: UInt64(bitPattern: number) & Self.ordinalMask)
  }
}

/// Fills the tables of what events refer to.
struct TraceTables {
  let reader: TraceReader
  let numbers: EventNumbers
  let threads: ThreadNames
  let places: StreamPlaces
  let symbols: Symbolizer?

  init(_ reader: TraceReader, symbols: Symbolizer?) {
    self.reader = reader
    self.symbols = symbols
    numbers = EventNumbers(reader)
    threads = ThreadNames(reader.definitions.threads, pid: reader.pid)
    places = StreamPlaces(reader.definitions, symbols: symbols)
  }

  /// Creates the tables, with a row for each definition and each of the losses.
  func write(_ losses: [TraceLoss], to database: SQLiteDatabase) throws(SQLiteError) {
    for entry in TraceSchema.definitions { try database.run(entry.statement) }
    let (header, definitions) = (reader.header.process, reader.definitions)
    let processes = RecordedProcesses(reader.header, definitions)
    let process = try SQLiteStatement("INSERT INTO process VALUES (?, ?, ?, ?, ?, ?)", in: database)
    for (place, one) in processes.all.enumerated() {
      try process.run(
        .text(one.program), .integer(Int64(one.pid)),
        one.host.map { .text($0) } ?? .null, SQLCell(one.started ?? header.started),
        .text(reader.ending.word), .integer(Int64(place + 1)))
    }
    let thread = try SQLiteStatement("INSERT INTO threads VALUES (?, ?, ?, ?, ?)", in: database)
    for (number, ring) in numbers.rings.sorted(by: { $0.key < $1.key }) {
      try thread.run(
        .integer(number), .text(EventName.thread(ring)), .text(threads[ring]),
        definitions.threads[ring].map { SQLCell($0.systemID) } ?? .null,
        processes.place(ofRing: ring).map { .integer(Int64($0 + 1)) } ?? .null)
    }
    let scheduler = try SQLiteStatement("INSERT INTO schedulers VALUES (?, ?)", in: database)
    for one in definitions.schedulers.values {
      try scheduler.run(.integer(Int64(one.id)), .text(one.name))
    }
    let stream = try SQLiteStatement("INSERT INTO streams VALUES (?, ?, ?, ?, ?)", in: database)
    let parent = try SQLiteStatement("INSERT INTO parents VALUES (?, ?)", in: database)
    for one in definitions.streams.values.sorted(by: { $0.id < $1.id }) {
      try stream.run(
        .integer(Int64(one.id)), .text(one.name), .text(one.operation), SQLCell(place(of: one.id)),
        .text(one.valueType))
      for other in one.parents { try parent.run(.integer(Int64(one.id)), .integer(Int64(other))) }
    }
    let loss = try SQLiteStatement("INSERT INTO losses VALUES (?, ?, ?, ?, ?)", in: database)
    for one in losses {
      try loss.run(
        .text(threads[one.ring]), SQLCell(one.count),
        .integer(reader.time.nanoseconds(sinceStart: one.ticks.lowerBound)),
        .integer(reader.time.nanoseconds(sinceStart: one.ticks.upperBound)),
        .text(one.reason.name))
    }
    let damage = try SQLiteStatement("INSERT INTO damage VALUES (?, ?)", in: database)
    for one in reader.damage { try damage.run(SQLCell(one.offset), .text(one.reason)) }
  }

  /// Returns the place where a stream was made, as `streams` shows it.
  func place(of stream: UInt32) -> String? {
    places.exact(stream).map { "\($0.file):\($0.line)" }
  }
}
