public import VarveFormat
public import VarveProbe

/// One event of a trace, on its own: what a question about single events looks at.
///
/// A query hands out blocks, for speed; whoever follows causes jumps from event to event instead.
public struct TraceEvent: Sendable, Hashable {
  /// What it is called, which people write as `#4.1749`.
  public var name: EventName
  /// When it happened.
  public var ticks: UInt64
  /// What it tells; nil for a kind that is not known here.
  public var kind: RecordKind?
  /// The stream that it is about, or the scheduler for hops; 0 for none.
  public var stream: UInt32
  /// The edge that feeds the stream, or the hop's id; 0 for none.
  public var subscription: UInt64
  /// What it carries.
  public var payload: EventPayload
  /// The events that caused it, the nearest first. The trace may not hold them: lost, or older than
  /// the recording.
  public var causes: [EventName]

  /// The thread incarnation that wrote it.
  public var ring: UInt32 { name.ring }

  /// Whether it is about work on a scheduler.
  public var isHop: Bool { kind?.isHop ?? false }

  /// Why it ended or was absorbed, if it tells.
  public var reason: String? {
    guard let kind, payload.kind == .reason else { return nil }
    return ReasonNames.name(kind: kind.rawValue, word: payload.word)
  }
}

/// What an event carries.
public struct EventPayload: Sendable, Hashable {
  /// How it is written; nil for a kind that is not known here.
  public var kind: PayloadKind?
  /// The bits of a payload of one word; for text and bytes, the length that the value had.
  public var word: UInt64
  /// Text or bytes, as far as they were kept.
  public var bytes: [UInt8]

  /// The bytes as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The payload without what lies beyond the first so many bytes of its text.
  func cut(to most: Int) -> EventPayload {
    guard bytes.count > most else { return self }
    var cut = self
    // Not in the midst of a character.
    let end = (0..<most).last { bytes[$0 + 1] & 0xc0 != 0x80 } ?? most - 1
    cut.bytes = Array(bytes[...end])
    return cut
  }
}

extension TraceEvent {
  /// The event for those who keep thousands of them: with a kilobyte of its value, for a file of
  /// a hundred bytes may say that a value has millions.
  var brief: TraceEvent {
    var brief = self
    brief.payload = payload.cut(to: 1_024)
    return brief
  }
}

extension EventColumns {
  /// The event at an index; every column must have been decoded.
  func event(at index: Int) -> TraceEvent {
    TraceEvent(
      name: name(index), ticks: ticks[index], kind: RecordKind(rawValue: kinds[index]),
      stream: streams[index], subscription: subscriptions[index], payload: payload(at: index),
      causes: causes(of: index))
  }

  private func payload(at index: Int) -> EventPayload {
    let end = min(Int(textStarts[index + 1]), heap.count)
    let start = min(Int(textStarts[index]), end)
    return EventPayload(
      kind: PayloadKind(rawValue: payloadKinds[index]), word: words[index],
      bytes: Array(heap[start..<end]))
  }

  /// What an event names as its causes, the nearest first; nothing twice.
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

  /// The causes that the recorder named; they stand in the order of the events.
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
