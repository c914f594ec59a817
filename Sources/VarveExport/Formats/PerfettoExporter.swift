public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes Perfetto's own format: a sequence of protobuf packets with track events.
///
/// Each thread is a track. Work on a scheduler is a slice; an event of a stream is an instant with
/// its value and cause. A flow leads from where work was scheduled to where it began.
public struct PerfettoExporter: TraceExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private let pid: UInt32
  private let program: String
  private let started: UInt64
  /// The hops whose beginning was written but not their end, so that only begun slices end.
  private var begun: WalkTable<UInt64, Void>

  /// The numbers of the fields that are written, from Perfetto's `.proto` files.
  private enum Field {
    static let packet = 1
    static let timestamp = 8
    static let sequence = 10
    static let trackEvent = 11
    static let trackDescriptor = 60
    enum Track { static let uuid = 1, name = 2, process = 3, thread = 4, parent = 5 }
    enum Process { static let pid = 1, name = 6 }
    enum Thread { static let pid = 1, tid = 2, name = 5 }
    enum Event { static let annotation = 4, type = 9, track = 11, name = 23, category = 22 }
    enum Flow { static let begins = 47, ends = 48 }
    enum Annotation {
      static let boolean = 2, unsigned = 3, integer = 4, real = 5, text = 6, name = 10
    }
  }

  private enum EventType: UInt64 {
    case begin = 1, end, instant
  }

  /// Prepares to export a recording that began at `started`, in nanoseconds since 1970.
  public init(
    _ words: TraceWords, pid: UInt32, program: String, started: UInt64, output: ByteOutput
  ) {
    self.words = words
    self.pid = pid
    self.program = program
    self.started = started
    self.output = output
    begun = .hops(words.walk)
  }

  /// The work that could not be remembered until its end.
  public var passedOver: PassedOver { words.walk.passedOver }

  /// Names the process and its threads.
  public mutating func begin() {
    var process = ProtobufMessage()
    process.add(Field.Track.uuid, 1)
    process.add(
      Field.Track.process,
      ProtobufMessage { message in
        message.add(Field.Process.pid, UInt64(pid))
        message.add(Field.Process.name, program)
      })
    put(descriptor: process)
    for ring in words.definitions.threads.keys.sorted() {
      var thread = ProtobufMessage()
      thread.add(Field.Track.uuid, track(of: ring))
      thread.add(Field.Track.parent, 1)
      thread.add(
        Field.Track.thread,
        ProtobufMessage { message in
          message.add(Field.Thread.pid, UInt64(pid))
          message.add(Field.Thread.tid, UInt64(ring))
          message.add(Field.Thread.name, words.thread(ring))
        })
      put(descriptor: thread)
    }
  }

  /// Writes the beginning or end of a slice, or an instant.
  public mutating func write(_ event: TraceEvent) {
    guard let kind = event.kind else { return }
    switch kind {
    case .hopScheduled:
      put(event, .instant, "give to \(words.scheduler(event.stream))", flow: Field.Flow.begins)
    case .hopBegan:
      guard begun.set((), for: event.subscription) else { return }
      put(event, .begin, words.scheduler(event.stream), flow: Field.Flow.ends)
    case .hopEnded:
      if begun.removeValue(forKey: event.subscription) != nil { put(event, .end, nil) }
    case .value: put(event, .instant, words.stream(event.stream))
    case .failed, .completed, .interrupted, .absorbed, .log, .mark:
      put(event, .instant, words.phrase(event))
    case .assembled, .subscribed, .ended, .hopCancelled, .skipped, .sent,
      .waitBegan, .waitEnded, .read:
      break
    }
  }

  /// Does nothing: packets follow each other to the end of the file.
  public mutating func end() {}

  private func track(of ring: UInt32) -> UInt64 { UInt64(ring) + 1 }

  private func put(_ event: TraceEvent, _ type: EventType, _ name: String?, flow: Int? = nil) {
    var message = ProtobufMessage()
    message.add(Field.Event.type, type.rawValue)
    message.add(Field.Event.track, track(of: event.ring))
    if let name { message.add(Field.Event.name, name) }
    if type != .end {
      if let kind = event.kind { message.add(Field.Event.category, kind.name) }
      annotate(event, &message)
    }
    if let flow { message.add(fixed: flow, event.subscription) }
    var packet = ProtobufMessage()
    let time = TraceTime.sinceEpoch(words.nanoseconds(event.ticks), started: started)
    packet.add(Field.timestamp, UInt64(max(time, 0)))
    packet.add(Field.sequence, 1)
    packet.add(Field.trackEvent, message)
    put(packet)
  }

  private func annotate(_ event: TraceEvent, _ message: inout ProtobufMessage) {
    func annotation(_ name: String, _ fill: (inout ProtobufMessage) -> Void) {
      message.add(
        Field.Event.annotation,
        ProtobufMessage { annotation in
          annotation.add(Field.Annotation.name, name)
          fill(&annotation)
        })
    }
    annotation("event") { $0.add(Field.Annotation.text, String(event.name)) }
    if let cause = event.causes.first {
      annotation("cause") { $0.add(Field.Annotation.text, String(cause)) }
    }
    switch event.payload.kind {
    case .integer: annotation("value") { $0.add(Field.Annotation.integer, event.payload.word) }
    case .unsigned: annotation("value") { $0.add(Field.Annotation.unsigned, event.payload.word) }
    case .real: annotation("value") { $0.add(fixed: Field.Annotation.real, event.payload.word) }
    case .boolean: annotation("value") { $0.add(Field.Annotation.boolean, event.payload.word & 1) }
    case .string, .description, .typeOnly:
      annotation("value") { $0.add(Field.Annotation.text, event.payload.text) }
    case .absent, .unit, .null, .bytes, .withheld, .stream, .reason, .cause, nil: break
    }
  }

  private func put(descriptor: ProtobufMessage) {
    var packet = ProtobufMessage()
    packet.add(Field.sequence, 1)
    packet.add(Field.trackDescriptor, descriptor)
    put(packet)
  }

  private func put(_ packet: ProtobufMessage) {
    var message = ProtobufMessage()
    message.add(Field.packet, packet)
    output.write(bytes: message.bytes)
  }
}

/// A message in protobuf's wire format: numbered fields, one after the other.
struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  init() {}

  init(_ fill: (inout ProtobufMessage) -> Void) { fill(&self) }

  mutating func add(_ field: Int, _ number: UInt64) {
    put(varint: UInt64(field) << 3)
    put(varint: number)
  }

  mutating func add(fixed field: Int, _ number: UInt64) {
    put(varint: UInt64(field) << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  mutating func add(_ field: Int, _ text: String) { add(field, Array(text.utf8)) }

  mutating func add(_ field: Int, _ message: ProtobufMessage) { add(field, message.bytes) }

  private mutating func add(_ field: Int, _ content: [UInt8]) {
    put(varint: UInt64(field) << 3 | 2)
    put(varint: UInt64(content.count))
    bytes += content
  }

  private mutating func put(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
