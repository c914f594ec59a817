import CVarveSystem
public import VarveProbe

/// A record as a test looks at it.
public struct RigRecord: Sendable, CustomStringConvertible {
  /// What it tells.
  public let kind: RecordKind
  /// The stream that it is about, or the scheduler for hops.
  public let stream: UInt32
  /// The edge that feeds the stream, or the hop's id.
  public let subscription: UInt64
  /// Its time.
  public let ticks: UInt64
  /// The record itself: what others name as their cause.
  public let reference: UInt64
  /// Everything that it names as its cause, the first one first.
  public let causes: [UInt64]
  /// How the payload is written, and its bytes, those that make eights full included.
  public let payload: PayloadKind
  /// The payload's bytes.
  public let bytes: [UInt8]
  /// The system's id of the thread that made it.
  public let thread: UInt64

  /// Bytes that it takes.
  let size: Int

  init(_ at: UnsafeRawPointer, ring: UInt32, sequence: UInt64, thread: UInt64) {
    let head = at.load(as: vv_record.self)
    precondition(head.sequence == UInt32(truncatingIfNeeded: sequence), "a record is missing")
    guard let kind = RecordKind(rawValue: head.kind),
      let payload = PayloadKind(rawValue: head.payload)
    else { preconditionFailure("record \(sequence) is of no known kind") }
    self.kind = kind
    self.payload = payload
    self.thread = thread
    stream = head.stream
    subscription = head.subscription
    ticks = head.ticks
    reference = vv_reference(ring, sequence)
    size = Int(head.eights) * 8
    let farBytes = Int(head.far_causes) * 8
    bytes = Array(
      UnsafeRawBufferPointer(
        start: at + Int(VV_RECORD_HEAD_BYTES), count: size - Int(VV_RECORD_HEAD_BYTES) - farBytes))
    let near = head.back == 0 || head.back == VV_CAUSE_IS_FAR ? [] : [UInt64(head.back)]
    let far = stride(from: size - farBytes, to: size, by: 8)
    causes =
      near.map { vv_reference(ring, sequence - $0) }
      + far.map { at.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
  }

  /// The payload's first eight bytes; 0 when there are none.
  public var word: UInt64 {
    bytes.withUnsafeBytes { $0.count >= 8 ? $0.loadUnaligned(as: UInt64.self) : 0 }
  }

  /// The payload as text, when it is text.
  public var text: String? {
    switch payload {
    case .string, .description, .typeOnly:
      String(decoding: bytes.dropFirst(8).prefix(Int(word >> 32)), as: UTF8.self)
    case .absent, .unit, .null, .integer, .unsigned, .real, .boolean, .bytes, .withheld, .stream,
      .reason, .cause, .task, .awaited, .made:
      nil
    }
  }

  /// For a failed expectation.
  public var description: String {
    "\(kind) of \(stream)/\(subscription) as \(reference), because of \(causes)"
  }
}
