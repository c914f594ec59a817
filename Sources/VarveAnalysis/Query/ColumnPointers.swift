package import VarveFormat

/// The columns of a block as plain memory, for code that handles ten million events a second.
///
/// Columns that were not requested are empty and must not be read.
package struct ColumnPointers {
  /// The block's index in its source; 0 where that does not matter.
  package internal(set) var block = 0
  /// As in `EventBatch`.
  package internal(set) var others = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
  package internal(set) var lastOthers = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
  package let ring: UInt32
  package let firstSequence: UInt64
  /// The causes that events name, such as those on other threads, by the event's index.
  package let namedCauses: UnsafeBufferPointer<(index: Int, cause: EventName)>
  package let ticks: UnsafeBufferPointer<UInt64>
  package let kinds: UnsafeBufferPointer<UInt8>
  package let streams: UnsafeBufferPointer<UInt32>
  package let subscriptions: UnsafeBufferPointer<UInt64>
  package let backs: UnsafeBufferPointer<UInt32>
  package let payloadKinds: UnsafeBufferPointer<UInt8>
  package let words: UnsafeBufferPointer<UInt64>
  package let textStarts: UnsafeBufferPointer<UInt32>
  package let heap: UnsafeBufferPointer<UInt8>

  /// Returns the name of the event at an index.
  @inlinable
  package func name(_ index: Int) -> EventName {
    EventName(ring: ring, sequence: firstSequence + UInt64(index))
  }

  /// Whether any event names causes.
  @inlinable
  package var hasNamedCauses: Bool { !namedCauses.isEmpty }

  /// The causes of an event: that during whose delivery it happened, and those that it names, among
  /// which that one may be again.
  package struct Causes {
    package var near: EventName?
    /// The places of the others in `namedCauses`.
    package var named: Range<Int>
  }

  /// Calls `body` with each cause of an event, nearest first and without duplicates.
  @inlinable
  package func forEachCause(of index: Int, _ body: (EventName) -> Void) {
    var start = -1
    let causes = causes(of: index, from: &start)
    if let near = causes.near { body(near) }
    forEachNamed(of: causes, body)
  }

  /// Returns the causes of an event.
  ///
  /// - Parameter start: a place in `namedCauses` that is shortly before those of the event, or -1;
  ///   it becomes the place where they begin, for the events after this one.
  @inlinable
  package func causes(of index: Int, from start: inout Int) -> Causes {
    let back = UInt64(backs[index])
    guard back != 0 else { return Causes(near: nil, named: 0..<0) }
    let sequence = firstSequence + UInt64(index)
    let near =
      back != UInt32.max && back < sequence
      ? EventName(ring: ring, sequence: sequence - back) : nil
    guard !namedCauses.isEmpty else { return Causes(near: near, named: 0..<0) }
    start = firstNamedCause(of: index, from: start)
    var end = start
    while end < namedCauses.count, namedCauses[end].index == index { end += 1 }
    return Causes(near: near, named: start..<end)
  }

  /// Calls `body` with each named cause that is not the near one, once.
  @inlinable
  package func forEachNamed(of causes: Causes, _ body: (EventName) -> Void) {
    for place in causes.named {
      let cause = namedCauses[place].cause
      if cause != causes.near, !isNamed(cause, in: causes.named.lowerBound..<place) { body(cause) }
    }
  }

  @inlinable
  package func isNamed(_ cause: EventName, in places: Range<Int>) -> Bool {
    for place in places where namedCauses[place].cause == cause { return true }
    return false
  }

  /// Returns the place where the named causes of an event begin, which is most often at or shortly
  /// after that of an event before.
  @inlinable
  package func firstNamedCause(of index: Int, from start: Int) -> Int {
    guard start >= 0, start <= namedCauses.count,
      start == 0 || namedCauses[start - 1].index < index
    else { return firstNamedCause(of: index) }
    for place in start..<min(start + 8, namedCauses.count)
    where namedCauses[place].index >= index {
      return place
    }
    return firstNamedCause(of: index)
  }

  /// Returns the place in `namedCauses` where those of an event begin, if it names any.
  @usableFromInline
  package func firstNamedCause(of index: Int) -> Int {
    var lower = 0
    var upper = namedCauses.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if namedCauses[middle].index < index { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// Returns the text or bytes of an event's payload.
  @inlinable
  package func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    if heap.isEmpty { return UnsafeBufferPointer(rebasing: heap[0..<0]) }
    let end = min(Int(textStarts[index + 1]), heap.count)
    let start = min(Int(textStarts[index]), end)
    return UnsafeBufferPointer(rebasing: heap[start..<end])
  }
}

extension EventPage {
  /// Lends the due entries run by run: those that follow each other and lie in the same block,
  /// usually a few hundred.
  package func forEachRun(
    _ body: (UnsafeBufferPointer<Entry>, ColumnPointers) -> Void
  ) {
    entries.withUnsafeBufferPointer { entries in
      withUnsafeTemporaryAllocation(of: ColumnPointers.self, capacity: batches.count) { blocks in
        lend(0, to: blocks) {
          var rest = UnsafeBufferPointer(rebasing: entries[due])
          while let first = rest.first {
            let end = rest.firstIndex { $0.batch != first.batch } ?? rest.count
            let batch = Int(first.batch)
            body(UnsafeBufferPointer(rebasing: rest[..<end]), blocks[batch])
            rest = UnsafeBufferPointer(rebasing: rest[end...])
          }
        }
      }
    }
  }

  /// Lends the columns of one block and, within that, those of the next: at most `mostBatches`
  /// deep.
  private func lend(
    _ place: Int, to blocks: UnsafeMutableBufferPointer<ColumnPointers>, _ body: () -> Void
  ) {
    guard place < batches.count else { return body() }
    batches[place].withPointers { pointers in
      (blocks.baseAddress! + place).initialize(to: pointers)
      lend(place + 1, to: blocks, body)
    }
  }
}

extension EventBatch {
  /// Lends the columns.
  func withPointers(_ body: (ColumnPointers) -> Void) {
    others.withUnsafeBufferPointer { others in
      lastOthers.withUnsafeBufferPointer { lastOthers in
        columns.withPointers { pointers in
          var pointers = pointers
          (pointers.block, pointers.others, pointers.lastOthers) = (block, others, lastOthers)
          body(pointers)
        }
      }
    }
  }
}

extension EventColumns {
  /// Lends the columns.
  func withPointers(_ body: (ColumnPointers) -> Void) {
    let columns = self
    columns.ticks.withUnsafeBufferPointer { ticks in
      columns.kinds.withUnsafeBufferPointer { kinds in
        columns.streams.withUnsafeBufferPointer { streams in
          columns.subscriptions.withUnsafeBufferPointer { subscriptions in
            columns.backs.withUnsafeBufferPointer { backs in
              columns.payloadKinds.withUnsafeBufferPointer { payloadKinds in
                columns.words.withUnsafeBufferPointer { words in
                  columns.textStarts.withUnsafeBufferPointer { textStarts in
                    columns.heap.withUnsafeBufferPointer { heap in
                      columns.farCauses.withUnsafeBufferPointer { causes in
                        body(
                          ColumnPointers(
                            ring: columns.ring, firstSequence: columns.firstSequence,
                            namedCauses: causes, ticks: ticks, kinds: kinds, streams: streams,
                            subscriptions: subscriptions, backs: backs, payloadKinds: payloadKinds,
                            words: words, textStarts: textStarts, heap: heap))
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
