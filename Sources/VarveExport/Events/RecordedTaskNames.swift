internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The names of the tasks that records concern, for forms that have one record on each line.
///
/// They do not depend on which events are chosen: where tasks were made is read beforehand, and the
/// task of a run's end is that which its beginning names, wherever that is in the trace.
final class RecordedTaskNames {
  /// The templates of the tasks that have names, by task.
  private var templates: WalkTable<UInt64, UInt32>
  private let walk: TraceWalk
  private let names: [UInt32: String]
  /// Returns the task of a run, given the event with which it began.
  private let findTask: (EventName) -> UInt64?
  /// The run that each thread began last, of those that were asked about.
  private var begun: [UInt32: (event: EventName, task: UInt64)] = [:]

  /// The memory for an entry of the table, in bytes.
  private static var entryBytes: Int { 48 }

  /// Reads where tasks were made; returns nil if no task of the source has a name.
  init?(_ source: some EventSource) {
    names = source.definitions.taskTemplates.mapValues(\.name).filter { !$0.value.isEmpty }
    guard !names.isEmpty else { return nil }
    walk = TraceWalk(source)
    templates = WalkTable(walk, bytes: Self.entryBytes, of: .work)
    let beginnings = RunBeginnings(source)
    findTask = { beginnings.task(of: $0) }
    var selection = Selection()
    selection.kinds = KindSelection([.taskCreated])
    // The selection names no event, so it cannot fail.
    var query = try? EventQuery(selection, in: source, columns: [.subscriptions, .words])
    query?.run { page in
      page.forEachRun { entries, block in
        for entry in entries { note(Int(entry.index), block) }
      }
      return true
    }
  }

  /// The tasks whose names there was no memory for.
  var passedOver: PassedOver { walk.passedOver }

  private func note(_ index: Int, _ block: ColumnPointers) {
    guard block.payloadKinds[index] == PayloadKind.made.rawValue else { return }
    let template = TaskCreationPayload(word: block.words[index]).template
    if names[template] != nil { templates.set(template, for: block.subscriptions[index]) }
  }

  /// Remembers the tasks and runs of an earlier part of the trace, too.
  func goOn(after earlier: RecordedTaskNames) {
    for (task, template) in earlier.templates.entries { templates.set(template, for: task) }
    begun = earlier.begun
  }

  /// Returns the name of the task that a record concerns; nil if there is none.
  func name(_ index: Int, _ block: ColumnPointers) -> String? {
    switch RecordKind(rawValue: block.kinds[index]) {
    case .taskCreated, .taskCancelled, .taskFailed, .taskFailureRead, .errorThrown:
      return name(ofTask: block.subscriptions[index])
    case .hopBegan:
      guard block.payloadKinds[index] == PayloadKind.task.rawValue else { return nil }
      let task = TaskRunPayload(word: block.words[index]).task
      begun[block.ring] = (block.name(index), task)
      return name(ofTask: task)
    case .hopEnded:
      guard block.payloadKinds[index] == PayloadKind.awaited.rawValue,
        let beginning = block.nearestCause(index)
      else { return nil }
      if let run = begun[block.ring], run.event == beginning { return name(ofTask: run.task) }
      return findTask(beginning).flatMap(name(ofTask:))
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .hopScheduled, .hopCancelled, .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read,
      .hopSampled, nil:
      return nil
    }
  }

  private func name(ofTask task: UInt64) -> String? { templates[task].flatMap { names[$0] } }
}

/// Finds the tasks of runs by the events with which these began.
private final class RunBeginnings<Source: EventSource> {
  private let source: Source
  /// The blocks of each ring that were read last.
  private var blocks: [UInt32: EventColumns] = [:]

  /// The number of blocks that are kept.
  private static var mostBlocks: Int { 32 }

  init(_ source: Source) { self.source = source }

  func task(of event: EventName) -> UInt64? {
    if let found = blocks[event.ring]?.index(of: event) { return task(at: found, event.ring) }
    guard let block = source.block(of: event) else { return nil }
    if blocks.count >= Self.mostBlocks { blocks.removeAll() }
    var columns = blocks.removeValue(forKey: event.ring) ?? EventColumns()
    let summary = source.blocks[block]
    (columns.ring, columns.firstSequence) = (summary.ring, summary.firstSequence)
    guard (try? source.decode(block, into: &columns, columns: [.kinds, .words])) != nil else {
      return nil
    }
    blocks[event.ring] = columns
    return columns.index(of: event).flatMap { task(at: $0, event.ring) }
  }

  private func task(at index: Int, _ ring: UInt32) -> UInt64? {
    guard let columns = blocks[ring], index < columns.payloadKinds.count,
      columns.kinds[index] == RecordKind.hopBegan.rawValue,
      columns.payloadKinds[index] == PayloadKind.task.rawValue
    else { return nil }
    return TaskRunPayload(word: columns.words[index]).task
  }
}

extension EventColumns {
  /// Returns the place of an event of the columns' ring.
  fileprivate func index(of event: EventName) -> Int? {
    guard event.sequence >= firstSequence, event.sequence - firstSequence < UInt64(count) else {
      return nil
    }
    return Int(event.sequence - firstSequence)
  }
}
