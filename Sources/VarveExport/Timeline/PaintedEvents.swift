internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Finds the events of a block that are painted one by one. Of the values of a run in one column, the
/// first stands for those that follow it, until something else happens to the stream.
///
/// It is used by several threads at once: what it looks up does not change.
struct PaintedEvents: Sendable {
  private let slots: StreamSlots
  /// For each stream that is observed, where its observations are drawn.
  private let observed: StreamSlots
  private let touched: [[Int]]
  private let count: Int
  private let borders: ColumnBorders
  /// What is expected of the events, and for each slot whether those of runs are not.
  private let expectation: TimelineExpectation?
  private var isRunless: [Bool] = []
  /// The kinds that are looked at besides values, a bit for each.
  private let others = [RecordKind.failed, .completed, .interrupted, .subscribed, .ended]
    .reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }

  /// Values that the first of them stands for.
  private struct Values {
    static let none = UInt32.max

    var run: UInt64 = 0
    var from: UInt64 = 1
    var to: UInt64 = 0
    var first = Values.none
    var others: UInt32 = 0
    var last: UInt32 = 0
  }

  /// - Parameters:
  ///   - slots: the slots of the streams that are drawn, below `count`.
  ///   - observations: the slots in which the observations of a stream begin and end runs.
  ///   - ids: the streams of the slots.
  ///   - expectation: what is expected of the events.
  init(
    _ slots: StreamSlots, ids: [UInt32], observations: [UInt32: [Int]], borders: ColumnBorders,
    expectation: TimelineExpectation?
  ) {
    var slots = slots
    count = ids.count
    if let expectation {
      let streams = expectation.streams
      isRunless = ids.map { expectation.slots.find($0).map { streams[$0].isRunless } ?? false }
      // Those that are expected to have no events share a slot behind the others.
      for stream in expectation.hidden { slots.add(stream, slot: ids.count) }
    }
    self.slots = slots
    self.borders = borders
    self.expectation = expectation
    var observed = StreamSlots()
    var touched: [[Int]] = []
    for (stream, slots) in observations where !slots.isEmpty {
      observed.add(stream, slot: touched.count)
      touched.append(slots)
    }
    (self.observed, self.touched) = (observed, touched)
  }

  /// Selects the events of a block.
  ///
  /// - Parameter isWhole: whether all events are to be looked at, and not those that are selected.
  func select(from batch: EventBatch, isWhole: Bool) {
    let events = batch.columns.count
    var found: [UInt32] = []
    swap(&found, &batch.selected)
    var others: [UInt32] = []
    var lasts: [UInt32] = []
    swap(&others, &batch.others)
    swap(&lasts, &batch.lastOthers)
    others.removeAll(keepingCapacity: true)
    others.append(contentsOf: repeatElement(0, count: events))
    if lasts.count < events {
      lasts.append(contentsOf: repeatElement(0, count: events - lasts.count))
    }
    let chosen = isWhole ? events : found.count
    if isWhole {
      found.removeAll(keepingCapacity: true)
      found.append(contentsOf: repeatElement(0, count: events))
    }
    let kept = withUnsafeTemporaryAllocation(of: Values.self, capacity: count + 1) { values in
      values.initialize(repeating: Values())
      return found.withUnsafeMutableBufferPointer { found in
        others.withUnsafeMutableBufferPointer { others in
          lasts.withUnsafeMutableBufferPointer { lasts in
            select(
              chosen, isWhole, from: batch.columns, into: found,
              Run(values: values, others: others, lasts: lasts))
          }
        }
      }
    }
    found.removeLast(found.count - kept)
    swap(&found, &batch.selected)
    swap(&others, &batch.others)
    swap(&lasts, &batch.lastOthers)
  }

  /// The memory of one selection.
  private struct Run {
    let values: UnsafeMutableBufferPointer<Values>
    let others: UnsafeMutableBufferPointer<UInt32>
    let lasts: UnsafeMutableBufferPointer<UInt32>

    /// Ends the stretch of a stream.
    @inline(__always)
    func close(_ slot: Int) {
      let value = values[slot]
      guard value.others > 0 else {
        values[slot].to = 0
        values[slot].from = 1
        return
      }
      others[Int(value.first)] = value.others
      lasts[Int(value.first)] = value.last
      values[slot] = Values()
    }
  }

  /// Returns the number of events that were selected.
  @inline(never)
  private func select(
    _ chosen: Int, _ isWhole: Bool, from columns: borrowing EventColumns,
    into found: UnsafeMutableBufferPointer<UInt32>, _ run: Run
  ) -> Int {
    var kept = 0
    let values = run.values
    columns.ticks.withUnsafeBufferPointer { ticks in
      columns.kinds.withUnsafeBufferPointer { kinds in
        columns.streams.withUnsafeBufferPointer { streams in
          columns.subscriptions.withUnsafeBufferPointer { runs in
            slots.dense.withUnsafeBufferPointer { dense in
              for place in 0..<chosen {
                let index = isWhole ? place : Int(found[place])
                let stream = streams[index]
                let kind = kinds[index]
                guard kind == RecordKind.value.rawValue else {
                  guard self.others >> UInt64(kind) & 1 != 0, let kind = RecordKind(rawValue: kind)
                  else { continue }
                  expectation?.note(kind, stream, run: runs[index], word: columns.words[index])
                  if closes(kind, stream, run) {
                    found[kept] = UInt32(truncatingIfNeeded: index)
                    kept &+= 1
                  }
                  continue
                }
                let slot: Int
                if Int(stream) < dense.count {
                  guard dense[Int(stream)] != .max else { continue }
                  slot = Int(dense[Int(stream)])
                } else {
                  guard let known = slots.find(stream) else { continue }
                  slot = known
                }
                let tick = ticks[index]
                if values[slot].run == runs[index], tick >= values[slot].from,
                  tick <= values[slot].to
                {
                  values[slot].others &+= 1
                  values[slot].last = UInt32(truncatingIfNeeded: index)
                } else {
                  if let expectation { check(slot, runs[index], expectation) }
                  run.close(slot)
                  values[slot] = Values(
                    run: runs[index], from: tick, to: borders.ticks(around: tick).upperBound,
                    first: UInt32(truncatingIfNeeded: index))
                  found[kept] = UInt32(truncatingIfNeeded: index)
                  kept &+= 1
                }
              }
            }
          }
        }
      }
    }
    for slot in values.indices { run.close(slot) }
    return kept
  }

  private func check(_ slot: Int, _ run: UInt64, _ expectation: TimelineExpectation) {
    if slot >= count || run != 0 && isRunless[slot] { expectation.fail() }
  }

  /// Returns whether an event that is no value is painted; if so, values before it do not stand for
  /// those after it.
  private func closes(_ kind: RecordKind, _ stream: UInt32, _ run: Run) -> Bool {
    switch kind {
    case .failed, .completed, .interrupted:
      guard let slot = slots.find(stream), slot < count else { return false }
      run.close(slot)
      return true
    case .subscribed, .ended:
      guard let place = observed.find(stream) else { return false }
      for slot in touched[place] { run.close(slot) }
      return true
    default: return false
    }
  }
}
