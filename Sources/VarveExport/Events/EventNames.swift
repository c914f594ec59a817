internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles

extension Pen {
  /// Writes the name of an event: `4.1749`.
  @inline(__always)
  mutating func put(_ name: EventName) {
    put(thread: name.ring)
    put(UInt8(ascii: "."))
    put(decimal: name.sequence)
  }

  /// Writes the number of a thread: `4`.
  @inline(__always)
  mutating func put(thread ring: UInt32) {
    let recording = EventName.recording(ring)
    if recording > 0 {
      put(decimal: UInt64(recording))
      put(UInt8(ascii: ":"))
    }
    put(decimal: UInt64(ring & EventName.ringBits))
  }

  /// Writes `#4.1749`, right-aligned in `width` columns.
  @inline(__always)
  mutating func put(_ name: EventName, width: Int) {
    let digits =
      Self.digits(of: UInt64(name.ring & EventName.ringBits)) + Self.digits(of: name.sequence)
    let recording = EventName.recording(name.ring)
    let prefix = recording == 0 ? 2 : 3 + Self.digits(of: UInt64(recording))
    for _ in 0..<max(width - digits - prefix, 0) { put(0x20) }
    put(UInt8(ascii: "#"))
    put(name)
  }
}

extension EventSource {
  /// The width of the longest event name, `#` included.
  var widestEventName: Int {
    1 + (blocks.lazy.map { $0.name($0.count - 1).description.utf8.count }.max() ?? 3)
  }
}

extension ColumnPointers {
  /// Returns the event during whose delivery the one at `index` happened, or else the first of its
  /// named causes.
  @inline(__always)
  func nearestCause(_ index: Int) -> EventName? {
    let back = UInt64(backs[index])
    if back == 0 { return nil }
    let name = name(index)
    if back != UInt32.max, back < name.sequence {
      return EventName(ring: ring, sequence: name.sequence - back)
    }
    let place = firstNamedCause(of: index)
    return place < namedCauses.count && namedCauses[place].index == index
      ? namedCauses[place].cause : nil
  }
}

extension LaneTag {
  init(event: EventName, time: UInt64) {
    self.init(ring: event.ring, sequence: event.sequence, time: time)
  }

  /// The event.
  var event: EventName { EventName(ring: ring, sequence: sequence) }
}

extension EventName {
  /// The name as a JSON string.
  var json: String { "\"\(self)\"" }
}
