import Testing
import VarveFormat
import VarveProbe

/// Recordings of random shape, each event with a payload of its own: what a name leads to must be the
/// same event in whatever file it lies.
@Suite("Names of events")
struct EventNameTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  /// One block of a recording.
  private struct Run {
    var ring: UInt32
    var records: RecordBytes
  }

  /// A recording in blocks, and what each event carries.
  private struct Recording {
    var header: TraceHeader
    var runs: [Run] = []
    /// By name, the event's own word, and the name of its far cause.
    var events: [EventName: Content] = [:]

    init(seed: UInt64, id: UInt64, started: UInt64) {
      header = .sample()
      header.id = TraceID(low: id, high: seed)
      header.process.pid = UInt32(id)
      header.process.started = started
      var random = Seeded(seed &* 31 &+ id)
      var next: [UInt32: UInt64] = [:]
      var word = id << 32
      for _ in 0..<12 {
        let ring = UInt32(random.next() % 4 + 1)
        let first = next[ring] ?? 1
        var records = RecordBytes(firstSequence: first)
        for sequence in first..<first + random.next() % 9 + 1 {
          word += 1
          let cause = events.isEmpty || random.next() % 2 == 0 ? nil : events.keys.sorted().last
          records.add(
            ticks: word & 0xffff, back: cause == nil ? 0 : .max, payload: .word(.unsigned, word),
            far: cause.map { [UInt64($0.ring) << 40 | $0.sequence] } ?? [])
          events[EventName(ring: ring, sequence: sequence)] = Content(word: word, cause: cause)
          next[ring] = sequence + 1
        }
        runs.append(Run(ring: ring, records: records))
        // What was lost has had its names.
        if random.next() % 4 == 0 { next[ring, default: 1] += 3 }
      }
    }
  }

  private struct Content: Equatable {
    var word: UInt64
    var cause: EventName?
  }

  private func write(
    _ recording: Recording, _ part: Range<Int>, to name: String, isFinished: Bool = true
  ) throws -> TraceReader {
    let writer = try TraceWriter(creating: folder.path(name), header: recording.header)
    for run in recording.runs[part] { try writer.append(run.records, ring: run.ring) }
    if isFinished { try writer.finish(ending: .clean) }
    return try TraceReader(path: folder.path(name))
  }

  /// What each name leads to; every name leads to its block, and no two events have one.
  private func events(_ reader: TraceReader) throws -> [EventName: Content] {
    var found: [EventName: Content] = [:]
    for (block, columns) in reader.readableBlocks().enumerated() {
      let causes = Dictionary(uniqueKeysWithValues: columns.farCauses.map { ($0.index, $0.cause) })
      for index in 0..<columns.count {
        let name = columns.name(index)
        #expect(reader.block(of: name) == block && reader.blocks[block].index(of: name) == index)
        #expect(EventName(String(describing: name)) == name && EventName("#\(name)") == name)
        let content = Content(word: columns.words[index], cause: causes[index])
        #expect(found.updateValue(content, forKey: name) == nil, "\(name) is there twice")
      }
    }
    return found
  }

  /// The same names with a recording's number before them.
  private func numbered(_ number: UInt32, _ events: [EventName: Content]) -> [EventName: Content] {
    func numbered(_ name: EventName) -> EventName {
      EventName(ring: number << 24 | name.ring, sequence: name.sequence)
    }
    return Dictionary(
      uniqueKeysWithValues: events.map {
        (numbered($0), Content(word: $1.word, cause: $1.cause.map(numbered)))
      })
  }

  @Test(
    "T13: names are unique, and lead to the same events while a file grows, after repair and rotation",
    arguments: 1...8 as ClosedRange<UInt64>)
  func oneRecording(seed: UInt64) throws {
    let recording = Recording(seed: seed, id: 7, started: 1_000)
    let count = recording.runs.count
    #expect(try events(write(recording, 0..<count, to: "whole.varve")) == recording.events)
    for end in 0...count {
      let grown = try events(write(recording, 0..<end, to: "growing.varve", isFinished: false))
      #expect(grown.allSatisfy { recording.events[$0] == $1 })
      #expect(UInt64(grown.count) == recording.runs[..<end].reduce(0) { $0 + $1.records.count })
    }
    // Damage costs a block, and the rest keeps its names.
    var bytes = try folder.read("whole.varve")
    let block = try #require(blockRanges(in: bytes).filter { $0.kind == 2 }.dropFirst(3).first)
    bytes[block.range.lowerBound + 30] ^= 1
    let damaged = try TraceReader(path: folder.write(bytes, to: "damaged.varve"))
    try TraceRepair.write(damaged, to: folder.path("repaired.varve"))
    let repaired = try events(TraceReader(path: folder.path("repaired.varve")))
    #expect(repaired == (try events(damaged)) && repaired.count < recording.events.count)
    #expect(repaired.allSatisfy { recording.events[$0] == $1 })
    // The files of a rotation have no name in common, and together all of them.
    let parts = try [
      write(recording, 0..<5, to: "run-1.varve"), write(recording, 5..<count, to: "run.varve"),
    ]
    let (first, last) = (try events(parts[0]), try events(parts[1]))
    #expect(Set(first.keys).isDisjoint(with: last.keys))
    #expect(first.merging(last) { one, _ in one } == recording.events)
    try TraceMerge.write(parts, to: folder.path("both.varve"))
    #expect(try events(TraceReader(path: folder.path("both.varve"))) == recording.events)
  }

  @Test(
    "T13: in a merge the recording's number stands before the name, by the recordings' starts",
    arguments: 1...4 as ClosedRange<UInt64>)
  func severalRecordings(seed: UInt64) throws {
    let recordings = [
      Recording(seed: seed, id: 1, started: 3_000), Recording(seed: seed, id: 2, started: 1_000),
      Recording(seed: seed, id: 3, started: 2_000),
    ]
    let readers = try recordings.enumerated().map { index, recording in
      try write(recording, 0..<recording.runs.count, to: "\(index).varve")
    }
    try TraceMerge.write([readers[0], readers[1]], to: folder.path("two.varve"))
    let two = try TraceReader(path: folder.path("two.varve"))
    let expected = numbered(2, recordings[0].events).merging(numbered(1, recordings[1].events)) {
      one, _ in one
    }
    #expect(try events(two) == expected)
    #expect(try two.verify() == [])
    // A merged trace's recordings begin with the first of them; another one comes after.
    try TraceMerge.write([readers[2], two], to: folder.path("three.varve"))
    let three = try events(TraceReader(path: folder.path("three.varve")))
    #expect(three == expected.merging(numbered(3, recordings[2].events)) { one, _ in one })
  }

  @Test("T13: more recordings than eight bits number are refused, as names would not be unique")
  func tooMany() throws {
    let readers = try (1...256 as ClosedRange<UInt64>).map { id in
      try write(Recording(seed: 1, id: id, started: id), 0..<1, to: "\(id).varve")
    }
    let error = try #require(throws: TraceFileError.self) {
      try TraceMerge.write(readers, to: folder.path("all.varve"))
    }
    #expect(error.code == .wrongUse && error.message.contains("255 recordings"))
  }
}
