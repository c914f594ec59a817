public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes the Common Trace Format, version 1.8, which babeltrace and Trace Compass read: a folder
/// with a description, `metadata`, and a file of packets.
public struct CTFExporter: EventwiseExporter {
  private let output: ByteOutput
  private let metadata: ByteOutput
  private let words: TraceWords
  private let header: TraceHeader
  private let tids: [UInt32: UInt64]
  private let processes: RecordedProcesses
  /// The losses that no packet has reported yet, the last one first.
  private var losses: [TraceLoss]
  private var discarded: UInt64 = 0
  private var packet: [UInt8] = []
  private var first: UInt64 = 0
  private var last: UInt64 = 0

  /// The size from which a packet ends.
  private static let packetBytes = 256 << 10
  /// The size of what precedes the events: a header and five numbers.
  private static let headBytes = 8 + 5 * 8
  private static let magic: UInt32 = 0xc1fc_1fc1

  /// Prepares to export: the packets go to `output`.
  public init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [], metadata: ByteOutput,
    output: ByteOutput
  ) {
    self.words = words
    self.header = header
    self.metadata = metadata
    self.output = output
    self.losses = losses.filter { $0.reason != .notDefined }
      .sorted { $0.ticks.lowerBound > $1.ticks.lowerBound }
    tids = SystemThreads.numbers(words.definitions)
    processes = RecordedProcesses(header, words.definitions)
  }

  /// Writes the description.
  public mutating func begin() {
    metadata.write(CTFMetadata.text(header, isMerged: processes.areSeveral))
  }

  /// Adds an event to the packet.
  public mutating func write(_ event: TraceEvent) {
    last = max(last, UInt64(max(words.nanoseconds(event.ticks), 0)))
    if packet.isEmpty { first = last }
    let (form, cut) = Self.form(event.payload)
    packet.append(little: CTFMetadata.number(event.kind, form))
    packet.append(little: last)
    put(String(event.name))
    packet.append(little: UInt32(truncatingIfNeeded: tids[event.ring] ?? UInt64(event.ring)))
    put(words.threads[event.ring])
    if processes.areSeveral {
      let process = processes.place(ofRing: event.ring).map { processes.all[$0] }
      packet.append(little: process?.pid ?? 0)
      put(process?.program ?? "")
    }
    put(
      event.isHop
        ? words.scheduler(event.stream) : words.definitions.streams[event.stream]?.name ?? "")
    packet.append(little: event.isHop ? 0 : event.stream)
    packet.append(little: event.subscription)
    put(event.causes.map { String($0) }.joined(separator: " "))
    put(event.reason ?? "")
    switch form {
    case .none: break
    case .integer, .unsigned, .real:
      packet.append(little: event.payload.kind?.task(in: event.payload.word) ?? event.payload.word)
    case .text:
      put(cut ?? EventObject.value(event.payload).json)
      packet.append(little: max(event.payload.word, UInt64(event.payload.bytes.count)))
    }
    if packet.count >= Self.packetBytes { finish() }
  }

  /// Writes the last packet, which also reports losses after the last event.
  public mutating func end() {
    if let loss = losses.first { last = max(last, time(loss)) }
    if !packet.isEmpty || !losses.isEmpty { finish() }
  }

  private func time(_ loss: TraceLoss) -> UInt64 {
    UInt64(max(words.nanoseconds(loss.ticks.lowerBound), 0))
  }

  private static func form(_ payload: EventPayload) -> (CTFMetadata.Form, text: String?) {
    switch payload.kind {
    case .integer: (.integer, nil)
    case .unsigned: (.unsigned, nil)
    case .real: (.real, nil)
    case .string, .description, .typeOnly: (.text, payload.text)
    case .unit: (.text, "()")
    case .null: (.text, "nil")
    case .boolean, .bytes: (.text, nil)
    case .task, .awaited, .made:
      (payload.kind?.task(in: payload.word) == nil ? .none : .unsigned, nil)
    case .absent, .withheld, .stream, .reason, .cause, nil: (.none, nil)
    }
  }

  /// Appends a text and the NUL that ends it.
  private mutating func put(_ text: String) {
    for byte in text.utf8 {
      if byte == 0 { packet += Array("\u{fffd}".utf8) } else { packet.append(byte) }
    }
    packet.append(0)
  }

  private mutating func finish() {
    while let loss = losses.last, time(loss) <= last {
      discarded &+= loss.count
      losses.removeLast()
    }
    var head: [UInt8] = []
    head.append(little: Self.magic)
    head.append(little: UInt32(0))
    let bits = UInt64(Self.headBytes + packet.count) * 8
    for number in [first, last, bits, bits, discarded] { head.append(little: number) }
    output.write(bytes: head)
    output.write(bytes: packet)
    packet.removeAll(keepingCapacity: true)
    first = last
  }
}
