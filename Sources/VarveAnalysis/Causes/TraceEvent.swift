public import VarveFormat
public import VarveProbe

/// A single event of a trace.
///
/// Queries deliver blocks for speed; following causes jumps from event to event instead.
public struct TraceEvent: Sendable, Hashable {
  /// The event's name, written `#4.1749`.
  public var name: EventName
  /// When it happened, in ticks.
  public var ticks: UInt64
  /// Its kind; nil for an unknown kind.
  public var kind: RecordKind?
  /// Its stream, or the scheduler for hops; 0 for none.
  public var stream: UInt32
  /// The edge that feeds the stream, or the hop's ID; 0 for none.
  public var subscription: UInt64
  /// The value or other data that it carries.
  public var payload: EventPayload
  /// The events that caused it, nearest first. The trace may not hold them if they were lost or are
  /// older than the recording.
  public var causes: [EventName]

  /// The thread incarnation that wrote it.
  public var ring: UInt32 { name.ring }

  /// Whether it is about work on a scheduler.
  public var isHop: Bool { kind?.isHop ?? false }

  /// The reason why it ended or was absorbed, or what a task awaits that ran, if recorded.
  public var reason: String? {
    guard let kind, let form = payload.kind else { return nil }
    return ReasonNames.name(kind: kind.rawValue, payload: form.rawValue, word: payload.word)
  }
}

/// The data that an event carries.
public struct EventPayload: Sendable, Hashable {
  /// Its form; nil for an unknown one.
  public var kind: PayloadKind?
  /// The bits of a one-word payload; for text and bytes, the original length of the value.
  public var word: UInt64
  /// The text or bytes, as far as they were kept.
  public var bytes: [UInt8]

  /// The bytes as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the payload with its text cut to at most `most` bytes.
  package func cut(to most: Int) -> EventPayload {
    guard bytes.count > most else { return self }
    var cut = self
    // Cutting must not split a character.
    let end = (0..<most).last { bytes[$0 + 1] & 0xc0 != 0x80 } ?? most - 1
    cut.bytes = Array(bytes[...end])
    return cut
  }
}

extension TraceEvent {
  /// The event with at most a kilobyte of its value, for algorithms that keep thousands of events:
  /// a file of a hundred bytes may claim a value of millions.
  var brief: TraceEvent {
    var brief = self
    brief.payload = payload.cut(to: 1_024)
    return brief
  }
}

extension EventBatch {
  /// Returns the event at an index. Every column must have been decoded.
  package func event(at index: Int) -> TraceEvent { columns.event(at: index) }
}

extension EventColumns {
  /// Returns the event at an index. Every column must have been decoded.
  func event(at index: Int) -> TraceEvent {
    TraceEvent(
      name: name(index), ticks: ticks[index], kind: RecordKind(rawValue: kinds[index]),
      stream: streams[index], subscription: subscriptions[index], payload: payload(at: index),
      causes: causes(of: index))
  }

  private func payload(at index: Int) -> EventPayload {
    EventPayload(
      kind: PayloadKind(rawValue: payloadKinds[index]), word: words[index],
      bytes: Array(text(at: index)))
  }

  /// Returns the text or bytes of the event at an index, as far as they were kept.
  package func text(at index: Int) -> ArraySlice<UInt8> {
    let end = min(Int(textStarts[index + 1]), heap.count)
    return heap[min(Int(textStarts[index]), end)..<end]
  }

  /// Returns the causes of the event at an index, nearest first and without duplicates.
  package func causes(of index: Int) -> [EventName] {
    let back = backs[index]
    guard back != 0 else { return [] }
    let sequence = firstSequence + UInt64(index)
    var found: [EventName] = []
    if back != .max, sequence > UInt64(back) {
      found.append(EventName(ring: ring, sequence: sequence - UInt64(back)))
    }
    for named in namedCauses(of: index) where !found.contains(named) { found.append(named) }
    return found
  }

  /// Returns the causes that the recorder named. They are stored in event order.
  private func namedCauses(of index: Int) -> [EventName] {
    var lower = 0
    var upper = farCauses.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if farCauses[middle].index < index { lower = middle + 1 } else { upper = middle }
    }
    return farCauses[lower...].prefix { $0.index == index }.map(\.cause)
  }
}
