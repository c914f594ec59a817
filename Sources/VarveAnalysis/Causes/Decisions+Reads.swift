internal import VarveFormat
internal import VarveProbe

extension Decisions {
  /// A read of a property that no stream on the way observes, with the stack of the code that read.
  private struct Read {
    var name: EventName
    var property: UInt32
    var frames: [StackFrame]
  }

  /// Looks for properties that the code read once when it made a stream on the way, and that have
  /// changed since: the stream goes on with the old value.
  mutating func capturing(
    _ effect: TraceEvent, _ line: [TraceEvent], _ reader: TraceReader, _ symbols: Symbolizer
  ) throws(SelectionError) {
    let makers = line.filter { !$0.isHop }.compactMap { event in
      facts.definition(event.stream).flatMap { reader.definitions.stacks[$0.stack]?.frames }
    }
    guard !makers.isEmpty else { return }
    for read in try reads(until: effect, reader) {
      guard let event = lookup[read.name]?.brief,
        let newer = facts.history.stream(read.property)?.lastValue, newer.ticks > event.ticks,
        newer.ticks < effect.ticks,
        makers.contains(where: { areOfOneCall(read.frames, $0, symbols) })
      else { continue }
      add(.captured(read: read.name, newer: newer.name), event, 58)
    }
  }

  /// Looks for properties that an operator's closure read while it worked on a value, and that changed
  /// afterwards.
  ///
  /// If the same cause changed one only after the effect, the closure saw what was there before. Both
  /// must happen within one delivery; what follows elsewhere, or from the effect, comes later by
  /// intention. If one has changed since, and nothing came for that, the closure should have been told.
  mutating func readingInClosures(
    _ effect: TraceEvent, _ line: [TraceEvent], _ reader: TraceReader
  ) throws(SelectionError) {
    let reads = try readsInClosures(effect, line, reader)
    if reads.isEmpty { return }
    let cause = line.contains(where: \.isHop) ? nil : firstCause(of: effect.name)
    let isLast = facts.history.stream(effect.stream)?.lastValue?.name == effect.name
    for (property, value) in try firstValues(of: Set(reads.keys), after: effect, reader).sorted(
      by: { $0.key < $1.key })
    {
      guard let read = reads[property] else { continue }
      if let cause, let way = mainLine(to: value), way.last == cause, !way.contains(effect.name) {
        add(.early(read: read.read, newer: value), read.by, 64)
      } else if isLast, let newest = facts.history.stream(property)?.lastValue {
        add(.outdated(read: read.read, newer: newest.name), read.by, 50)
      }
    }
  }

  /// Returns the properties above which the effect is not, each with the last read of it between two
  /// steps of the way, and the later one of these.
  private func readsInClosures(
    _ effect: TraceEvent, _ line: [TraceEvent], _ reader: TraceReader
  ) throws(SelectionError) -> [UInt32: (read: EventName, by: TraceEvent)] {
    let steps = zip(line, line.dropFirst()).filter { $0.name.ring == $1.name.ring && !$0.isHop }
    if steps.isEmpty { return [:] }
    var selection = Selection()
    selection.kinds = KindSelection([.read])
    var query = try EventQuery(selection, in: reader, columns: [.ticks, .streams, .payloads])
    var reads: [UInt32: (read: EventName, by: TraceEvent)] = [:]
    let upstream = Upstream(of: effect.stream, in: facts)
    query.run { page in
      page.forEach { batch, index in
        let name = batch.columns.name(index)
        let property = batch.columns.streams[index]
        guard batch.columns.payloadKinds[index] != PayloadKind.stream.rawValue,
          !upstream.contains(property), reads.count < Self.mostReads,
          let step = steps.first(where: {
            $0.name.ring == name.ring && $1.name.sequence < name.sequence
              && name.sequence < $0.name.sequence
          })
        else { return }
        reads[property] = (name, step.0)
      }
      return true
    }
    return reads
  }

  /// Returns the events on the main line to one, itself first; nil if it leads over a scheduler.
  func mainLine(to name: EventName) -> [EventName]? {
    guard let graph = CausalGraph(of: name, in: lookup, most: Self.mostEvents) else { return nil }
    let steps = CausalPath(graph).steps.filter { $0.depth == 0 && !$0.wasShown }
    return steps.contains { $0.event.isHop } ? nil : steps.map(\.event.name)
  }

  /// Returns the first value of each stream after an event.
  func firstValues(
    of streams: Set<UInt32>, after effect: TraceEvent, _ reader: TraceReader
  ) throws(SelectionError) -> [UInt32: EventName] {
    var selection = Selection()
    selection.streams = streams
    selection.kinds = KindSelection([.value])
    var query = try EventQuery(selection, in: reader, columns: [.ticks, .streams])
    var found: [UInt32: EventName] = [:]
    query.run { page in
      page.forEach { batch, index in
        let stream = batch.columns.streams[index]
        guard batch.columns.ticks[index] > effect.ticks, found[stream] == nil else { return }
        found[stream] = batch.columns.name(index)
      }
      return found.count < streams.count
    }
    return found
  }

  /// The maximum number of reads that are compared.
  private static let mostReads = 256

  /// Returns the reads before an event of properties that do not lead to it. Of those at one place,
  /// there is only one: what is read again and again is no old value.
  private func reads(
    until effect: TraceEvent, _ reader: TraceReader
  ) throws(SelectionError) -> [Read] {
    let upstream = Upstream(of: effect.stream, in: facts)
    var selection = Selection()
    selection.kinds = KindSelection([.read])
    var query = try EventQuery(selection, in: reader, columns: [.ticks, .streams, .payloads])
    var found: [UInt32: (count: Int, name: EventName, property: UInt32)] = [:]
    query.run { page in
      page.forEach { batch, index in
        let property = batch.columns.streams[index]
        // Who takes the signal of a property's changes observes it.
        guard batch.columns.payloadKinds[index] != PayloadKind.stream.rawValue else { return }
        let stack = HopPayload(word: batch.columns.words[index]).stack
        guard stack != 0, batch.columns.ticks[index] < effect.ticks, !upstream.contains(property),
          found.count < Self.mostReads || found[stack] != nil
        else { return }
        found[stack] = (found[stack]?.count ?? 0, batch.columns.name(index), property)
        found[stack]?.count += 1
      }
      return true
    }
    return found.sorted { $0.key < $1.key }.compactMap { stack, read in
      guard read.count == 1, let frames = reader.definitions.stacks[stack]?.frames else {
        return nil
      }
      return Read(name: read.name, property: read.property, frames: frames)
    }
  }

  /// Returns whether one call of a function of the program both read a property and then made a
  /// stream, by their stacks: all frames outside that function are the same.
  private func areOfOneCall(
    _ read: [StackFrame], _ made: [StackFrame], _ symbols: Symbolizer
  ) -> Bool {
    guard let shared = SharedCall.outerFrames(read, made) else { return false }
    let frames = [read[read.count - shared - 1], made[made.count - shared - 1]]
    symbols.lookUpOwn(frames)
    let named = frames.map { symbols.named([$0]).last }
    guard let one = named[0], let two = named[1], !one.isMachinery, one.function != nil else {
      return false
    }
    return one.function == two.function && one.file == two.file && one.line <= two.line
  }
}
