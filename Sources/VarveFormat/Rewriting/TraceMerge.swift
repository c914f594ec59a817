internal import VarveProbe

/// A merge of the traces of several processes into one, on one clock.
///
/// Streams, schedulers, subscriptions, and hops get new numbers where two processes use the same
/// ones; threads are also named after their process. Events keep their names; if there are several
/// recordings, each gets a number in the order of their start, which precedes the names of its
/// events. The files of one recording, which share its ID, become one: an event that is in several
/// of them appears once. Losses reported in one file are left out if another file, such as a flight
/// recorder's snapshot, has the events.
public enum TraceMerge {
  /// Writes the merged trace. The streams of the first trace keep their IDs.
  ///
  /// - Parameters:
  ///   - readers: The traces; the first determines the IDs.
  ///   - path: The path at which to write the merged trace.
  ///   - replacing: Whether an existing trace at `path` may be replaced.
  ///   - allowsRunning: Whether traces that are still being recorded are merged as they are.
  ///   - progress: Receives the progress from time to time.
  /// - Throws: A `TraceFileError`, as `TraceRepair.write` does; also `wrongUse` if there are more
  ///   than `most` traces, or none.
  @discardableResult
  public static func write(
    _ readers: [TraceReader], to path: String, replacing: Bool = false,
    allowsRunning: Bool = false, progress: RewriteProgress = { _, _ in }
  ) throws(TraceFileError) -> RewriteOutcome {
    guard let first = readers.first, readers.count <= most else {
      throw TraceFileError(.wrongUse, "from 1 to \(most) traces can be merged at once")
    }
    for reader in readers where reader.ending == .running && !allowsRunning {
      throw TraceFileError(
        .wrongUse, "\(reader.path) is still being recorded; it can be merged when that is over")
    }
    let clock = SharedClock(readers)
    let processes = processes(readers)
    let recordings = recordings(readers, of: processes)
    let numbers = RecordingNumbers(readers, recordings)
    guard !numbers.areTooMany else {
      throw TraceFileError(
        .wrongUse, "these are more than \(RecordingNumbers.most) recordings; merge fewer")
    }
    let file = try RewrittenFile(path, replacing: replacing)
    let header = header(readers, first, clock)
    return try file.write(header: header) { writer throws(TraceFileError) in
      var merge = Merge(readers, clock, writer, processes, recordings, numbers)
      try merge.writeDefinitions()
      try merge.writeEvents(progress)
      try merge.writeLosses()
      try writer.finish(ending: merge.ending())
      merge.outcome.bytes = writer.bytes
      return merge.outcome
    }
  }

  /// The largest number of traces that can be merged: the upper bits keep their subscriptions' IDs
  /// apart.
  public static let most = 256

  /// Returns whether the traces were not recorded during one boot of one machine, so that their
  /// times can only be compared by the calendar.
  public static func isByCalendar(_ readers: [TraceReader]) -> Bool {
    !readers.isEmpty && SharedClock(readers).isByCalendar
  }

  /// Returns the number of each trace's process. Traces belong to one process if its description is
  /// the same in both and no stream ID has two meanings.
  fileprivate static func processes(_ readers: [TraceReader]) -> [Int] {
    var found: [Int] = []
    for (index, reader) in readers.enumerated() {
      let same = readers[..<index].firstIndex { isOneProcess($0, reader) }
      found.append(same.map { found[$0] } ?? (found.max() ?? -1) + 1)
    }
    return found
  }

  /// Returns, for each trace, the first one that is a file of the same recording.
  fileprivate static func recordings(_ readers: [TraceReader], of processes: [Int]) -> [Int] {
    readers.indices.map { index in
      readers[..<index].indices.first {
        processes[$0] == processes[index] && readers[$0].header.id == readers[index].header.id
      } ?? index
    }
  }

  private static func isOneProcess(_ one: TraceReader, _ other: TraceReader) -> Bool {
    let (first, second) = (one.header.process, other.header.process)
    guard first.pid == second.pid, first.host == second.host, first.program == second.program,
      first.arguments == second.arguments
    else { return false }
    // Without a host name, one program's processes in different containers often look the same.
    guard !first.host.isEmpty || first.started == second.started else { return false }
    let streams = other.definitions.streams
    return one.definitions.streams.allSatisfy { id, stream in
      streams[id].map { $0.name == stream.name && $0.born == stream.born } ?? true
    }
  }

  private static func header(
    _ readers: [TraceReader], _ first: TraceReader, _ clock: SharedClock
  ) -> TraceHeader {
    var process = first.header.process
    let programs = readers.map(\.header.process.program)
    process.program = Set(programs).count == 1 ? programs[0] : programs.joined(separator: " + ")
    if processes(readers).contains(where: { $0 > 0 }) {
      process.arguments = []
      // With several processes, no thread is the main thread of all.
      process.pid = 0
    }
    process.started = clock.started
    return TraceHeader(id: .random(), process: process, clock: clock.clock, anchor: clock.anchor)
  }
}

private struct Merge {
  var outcome = RewriteOutcome()
  private let readers: [TraceReader]
  private let writer: TraceWriter
  private let clock: SharedClock
  /// The process of each trace: several traces may be parts of one recording.
  private let processes: [Int]
  /// The recording of each trace: its files share threads.
  private let recordings: [Int]
  /// The names that schedulers of several processes have.
  private let sharedNames: Set<String>
  /// The last record written, by ring, for recordings with several files.
  private var written: [UInt32: UInt64] = [:]
  private struct Place: Hashable {
    var trace: Int
    var block: Int
  }
  /// Blocks that could not be decoded.
  private var unreadable: Set<Place> = []
  private var streams = NumberPool()
  private var schedulers = NumberPool()
  private let numbers: RecordingNumbers
  /// The trace whose crash becomes that of the merged trace; nil if none crashed.
  private let crashed: Int?
  private var stacks = NumberPool()
  private var modules = NumberPool()
  private var templates = NumberPool()
  private let composer = RecordComposer()
  private var columns = EventColumns()

  init(
    _ readers: [TraceReader], _ clock: SharedClock, _ writer: TraceWriter, _ processes: [Int],
    _ recordings: [Int], _ numbers: RecordingNumbers
  ) {
    self.readers = readers
    self.clock = clock
    self.writer = writer
    self.processes = processes
    self.recordings = recordings
    self.numbers = numbers
    sharedNames = Self.sharedNames(readers, of: processes)
    crashed = readers.firstIndex { if case .crashed = $0.ending { true } else { false } }
    outcome.damage = readers.flatMap(\.damage)
  }

  mutating func writeDefinitions() throws(TraceFileError) {
    for (trace, reader) in readers.enumerated() { try writeDefinitions(of: reader, trace) }
  }

  /// Writes the losses, after the events, since events that could not be read are missing too.
  mutating func writeLosses() throws(TraceFileError) {
    for trace in readers.indices {
      var losses = losses(of: trace) + unreadableEvents(of: trace)
      for index in losses.indices {
        losses[index].ring = ring(losses[index].ring, trace)
        let ticks = losses[index].ticks
        let track = clock.tracks[trace]
        let first = track.tick(ticks.lowerBound)
        losses[index].ticks = first...max(first, track.tick(ticks.upperBound))
      }
      try writer.append(losses: losses)
    }
  }

  private mutating func writeDefinitions(
    of reader: TraceReader, _ trace: Int
  ) throws(TraceFileError) {
    var part: [TraceDefinition] = []
    // Of a trace that is merged itself, the definitions tell, if any.
    let number = recording(0, trace)
    if number != 0, recordings[trace] == trace {
      part.append(.process(ProcessDefinition(recording: number, process: reader.header.process)))
    }
    for definition in reader.definitions.all {
      if let definition = renumbered(definition, in: trace) { part.append(definition) }
      guard part.count == Self.definitionsWritten else { continue }
      try writer.append(definitions: part)
      part.removeAll(keepingCapacity: true)
    }
    try writer.append(definitions: part)
  }

  private static let definitionsWritten = 1_024

  /// Returns the losses of a file's blocks that cannot be read, unless another file of the recording has
  /// them.
  private func unreadableEvents(of trace: Int) -> [TraceLoss] {
    let others = readers.indices.filter {
      recordings[$0] == recordings[trace] && $0 != trace && sharesRecording($0)
    }
    return unreadable.filter { $0.trace == trace }.map(\.block).sorted()
      .map { readers[trace].blocks[$0] }
      .filter { block in
        !others.contains { other in
          readers[other].block(of: block.name(0)).map {
            !unreadable.contains(Place(trace: other, block: $0))
          } ?? false
        }
      }
      .map { TraceLoss(of: $0) }
  }

  /// Returns a file's losses, without events that it did not keep, or that are damaged in it, but that
  /// another file of the recording has. Files of one recording contain the same blocks, or lack whole ones.
  private func losses(of trace: Int) -> [TraceLoss] {
    let losses = readers[trace].losses
    let elsewhere: Set<TraceLoss.Reason> = [.notKept, .damaged]
    guard sharesRecording(trace), losses.contains(where: { elsewhere.contains($0.reason) }) else {
      return losses
    }
    // The blocks that only other files have, by ring and number of the first event.
    var others: [UInt32: [UInt64: BlockSummary]] = [:]
    for other in readers.indices where recordings[other] == recordings[trace] && other != trace {
      for (index, block) in readers[other].blocks.enumerated()
      where !unreadable.contains(Place(trace: other, block: index)) {
        others[block.ring, default: [:]][block.firstSequence] = block
      }
    }
    for block in readers[trace].blocks { others[block.ring]?[block.firstSequence] = nil }
    let tallies = others.mapValues { BlockTally($0.values) }
    return losses.compactMap { loss in
      guard elsewhere.contains(loss.reason), let tally = tallies[loss.ring] else { return loss }
      var rest = loss
      rest.count -= min(tally.count(within: loss.ticks), loss.count)
      return rest.count > 0 ? rest : nil
    }
  }

  /// Returns the worst of the endings.
  func ending() -> TraceEnding {
    guard let crashed, case .crashed(let signal, let ring, let counter) = readers[crashed].ending
    else { return readers.allSatisfy { $0.ending == .clean } ? .clean : .killed }
    return .crashed(
      signal: signal, ring: ring.map { self.ring($0, crashed) },
      programCounter: counter.map { address($0, crashed) })
  }

  /// Returns the merged trace's ring for a thread. It is the same for all files of a recording.
  private func ring(_ ring: UInt32, _ trace: Int) -> UInt32 {
    numbers.ring(ring, of: recordings[trace])
  }

  /// Returns the number in the merged trace of a trace's recording; 0 if it has none.
  private func recording(_ part: UInt32, _ trace: Int) -> UInt32 {
    EventName.recording(ring(part << 24 | 1, trace))
  }

  /// Returns the definition for the merged trace; nil if it is left out.
  private mutating func renumbered(_ definition: TraceDefinition, in trace: Int) -> TraceDefinition?
  {
    switch definition {
    case .stream(var stream):
      stream.id = streams.number(stream.id, processes[trace])
      stream.parents = stream.parents.map { streams.number($0, processes[trace]) }
      stream.born = clock.tracks[trace].tick(stream.born)
      stream.stack = stacks.number(stream.stack, processes[trace])
      return .stream(stream)
    case .scheduler(var scheduler):
      scheduler.id = schedulers.number(scheduler.id, processes[trace])
      if sharedNames.contains(scheduler.name) {
        scheduler.name = "\(program(of: trace)) \(scheduler.name)"
      }
      return .scheduler(scheduler)
    case .thread(var thread):
      thread.ring = ring(thread.ring, trace)
      if processes.contains(where: { $0 > 0 }) { thread.name = name(of: thread, in: trace) }
      return .thread(thread)
    case .stack(var stack):
      if stack.id == StackDefinition.struckID {
        // The merged trace has one ending, and so at most one interrupted stack.
        guard trace == crashed else { return nil }
      } else {
        stack.id = stacks.number(stack.id, processes[trace])
      }
      for index in stack.frames.indices {
        stack.frames[index].address = address(stack.frames[index].address, trace)
      }
      return .stack(stack)
    case .module(var module):
      module.id = modules.number(module.id, processes[trace])
      module.bias &+= UInt64(processes[trace]) << 48
      let start = address(module.addresses.lowerBound, trace)
      module.addresses = start..<max(start, address(module.addresses.upperBound, trace))
      return .module(module)
    case .symbol(var symbol):
      symbol.address = address(symbol.address, trace)
      return .symbol(symbol)
    case .taskTemplate(var template):
      template.id = templates.number(template.id, processes[trace])
      template.stack = stacks.number(template.stack, processes[trace])
      return .taskTemplate(template)
    case .process(var process):
      process.recording = recording(process.recording, trace)
      return .process(process)
    }
  }

  /// Returns an address for the merged trace. Each process has its own addresses, which differ in
  /// bits that no processor uses; the load biases of modules have the same bits added.
  private func address(_ address: UInt64, _ trace: Int) -> UInt64 {
    address == 0 ? 0 : (address &+ UInt64(processes[trace]) << 48) & ~(1 << 63)
  }

  /// Returns a name like `shop[4711] main`: processes may have threads of the same name.
  private func name(of thread: ThreadDefinition, in trace: Int) -> String {
    let isMain = thread.systemID == UInt64(readers[trace].header.process.pid)
    let own = isMain ? "main" : thread.name.isEmpty ? "thread \(thread.systemID)" : thread.name
    return "\(program(of: trace)) \(own)"
  }

  /// Returns a name of a process like `shop[4711]`.
  private func program(of trace: Int) -> String {
    let process = readers[trace].header.process
    let program = process.program.split(separator: "/").last ?? "process"
    return "\(program)[\(process.pid)]"
  }

  /// Returns the names that schedulers of several processes have.
  private static func sharedNames(_ readers: [TraceReader], of processes: [Int]) -> Set<String> {
    var owners: [String: Set<Int>] = [:]
    for (reader, process) in zip(readers, processes) {
      for scheduler in reader.definitions.schedulers.values {
        owners[scheduler.name, default: []].insert(process)
      }
    }
    return Set(owners.lazy.filter { $0.value.count > 1 }.map(\.key))
  }

  /// Writes the blocks of all traces in the order of their first events.
  mutating func writeEvents(_ progress: RewriteProgress) throws(TraceFileError) {
    var order: [(tick: UInt64, trace: Int, block: Int)] = []
    for (trace, reader) in readers.enumerated() {
      for (index, block) in reader.blocks.enumerated() {
        order.append((clock.tracks[trace].tick(block.ticks.lowerBound), trace, index))
      }
    }
    order.sort { $0 < $1 }
    for (done, place) in order.enumerated() {
      progress(UInt64(done), UInt64(order.count))
      try write(block: place.block, of: place.trace)
    }
  }

  private mutating func write(block index: Int, of trace: Int) throws(TraceFileError) {
    let block = readers[trace].blocks[index]
    let fresh = freshPart(of: block, trace)
    guard !fresh.isEmpty else { return }
    do throws(TraceFileError) {
      try readers[trace].decode(index, into: &columns, columns: .all)
    } catch {
      outcome.damage.append(try TraceDamage(of: block, error))
      unreadable.insert(Place(trace: trace, block: index))
      return
    }
    if fresh.count < block.count { columns.keep(fresh) }
    renumber(trace)
    try writer.append(
      records: composer.records(of: columns), ring: columns.ring,
      firstSequence: columns.firstSequence)
    if sharesRecording(trace) {
      written[columns.ring] = columns.firstSequence + UInt64(columns.count) - 1
    }
    outcome.events += UInt64(fresh.count)
    if block.offset == nil { outcome.folded += UInt64(fresh.count) }
  }

  /// Returns the part of a block that no file of its recording has contributed yet.
  private func freshPart(of block: BlockSummary, _ trace: Int) -> Range<Int> {
    guard sharesRecording(trace), let last = written[ring(block.ring, trace)],
      last >= block.firstSequence
    else { return 0..<block.count }
    return Int(min(last - block.firstSequence + 1, UInt64(block.count)))..<block.count
  }

  private func sharesRecording(_ trace: Int) -> Bool {
    recordings.indices.contains { $0 != trace && recordings[$0] == recordings[trace] }
  }

  /// Returns the ID of a subscription or a hop, within 44 bits, as a hop's payload stores its
  /// parent.
  private func edge(_ id: UInt64, _ trace: Int) -> UInt64 {
    id &+ UInt64(processes[trace]) << 36
  }

  private mutating func renumber(_ trace: Int) {
    let track = clock.tracks[trace]
    columns.ring = ring(columns.ring, trace)
    for index in 0..<columns.count {
      columns.ticks[index] = track.tick(columns.ticks[index])
      let stream = columns.streams[index]
      if RecordKind.isHop(columns.kinds[index]) {
        columns.streams[index] = schedulers.number(stream, processes[trace])
      } else {
        columns.streams[index] = streams.number(stream, processes[trace])
      }
      let subscription = columns.subscriptions[index]
      if subscription != 0 { columns.subscriptions[index] = edge(subscription, trace) }
      switch PayloadKind(rawValue: columns.payloadKinds[index]) {
      case .stream:
        var payload = SubscriptionPayload(word: columns.words[index])
        payload.stream = streams.number(payload.stream, processes[trace])
        payload.stack = stacks.number(payload.stack, processes[trace])
        columns.words[index] = payload.word
      case .reason:
        var payload = ReasonPayload(word: columns.words[index])
        payload.stack = stacks.number(payload.stack, processes[trace])
        columns.words[index] = payload.word
      case .cause:
        var payload = HopPayload(word: columns.words[index])
        payload.stack = stacks.number(payload.stack, processes[trace])
        if payload.parent != 0 { payload.parent = edge(payload.parent, trace) }
        columns.words[index] = payload.word
      case .task, .awaited, .made:
        columns.words[index] = taskWord(
          columns.words[index], PayloadKind(rawValue: columns.payloadKinds[index]), trace)
      default: break
      }
    }
    for index in columns.farCauses.indices {
      let cause = columns.farCauses[index].cause.ring
      columns.farCauses[index].cause.ring =
        columns.ring & ~EventName.ringBits | cause & EventName.ringBits
    }
  }
}

extension Merge {
  /// Returns the payload of a task's record. What a task awaits has room for the numbers of sixteen
  /// processes; those of more are left out.
  private mutating func taskWord(_ word: UInt64, _ kind: PayloadKind?, _ trace: Int) -> UInt64 {
    switch kind {
    case .task:
      var payload = TaskRunPayload(word: word)
      payload.task = edge(payload.task, trace)
      return payload.word
    case .awaited:
      var payload = TaskAwaitPayload(word: word)
      payload.stack = stacks.number(payload.stack, processes[trace])
      switch TaskAwait(rawValue: payload.awaited) {
      case .task where payload.number != 0:
        let number = edge(payload.number, trace)
        payload.number = number >> 40 == 0 ? number : 0
      case .executor:
        let id = UInt32(truncatingIfNeeded: payload.number)
        payload.number = UInt64(schedulers.number(id, processes[trace]))
      default: break
      }
      return payload.word
    case .made:
      var payload = TaskCreationPayload(word: word)
      payload.template = templates.number(payload.template, processes[trace])
      if payload.creator != 0 { payload.creator = edge(payload.creator, trace) }
      return payload.word
    default: return word
    }
  }
}
