import CVarveSystem
import VarveProbe

/// A stream that tells its values to the gate without a library of streams around it.
struct Emitter: Sendable {
  let stream: UInt32

  /// Defines the stream, if somebody records.
  init(stream: UInt32, named name: String) {
    self.stream = stream
    Probe.receiver?.define(Self.definition(stream: stream, named: name))
  }

  static func definition(stream: UInt32, named name: String) -> StreamDefinition {
    StreamDefinition(
      id: stream, name: name, derivation: "pipe", operation: "pipe", parents: [], place: nil,
      valueType: "Int", born: vv_clock_ticks())
  }

  /// Delivers an integer; false when nobody recorded it.
  @discardableResult @inline(__always)
  func send(_ value: UInt64) -> Bool {
    let gate = vv_gate_load()
    guard gate != 0 else { return false }
    return vv_emit_word(
      &vv_thread_current().pointee.writer, gate, RecordKind.value.rawValue,
      PayloadKind.integer.rawValue, stream, 0, 0, value)
  }

  /// Delivers integers, which are published together.
  ///
  /// - Parameter spoil: what is done to the first record before that.
  func send(_ values: ClosedRange<UInt64>, spoil: (UnsafeMutablePointer<UInt8>) -> Void) {
    let gate = vv_gate_load()
    guard gate != 0 else { return }
    let thread = vv_thread_current()!
    var first: UnsafeMutablePointer<UInt8>?
    for value in values {
      let payload = vv_emit_begin(
        &thread.pointee.writer, gate, UInt32(VV_RECORD_HEAD_BYTES) + 8, RecordKind.value.rawValue,
        PayloadKind.integer.rawValue, stream, 0, 0)
      guard let payload else { return }
      UnsafeMutableRawPointer(payload).storeBytes(of: value, as: UInt64.self)
      first = first ?? payload - Int(VV_RECORD_HEAD_BYTES)
    }
    if let first { spoil(first) }
    vv_emit_commit(&thread.pointee.writer)
  }

  /// Delivers a text; false when nobody recorded it.
  @discardableResult
  func send(text: String) -> Bool {
    let gate = vv_gate_load()
    guard gate != 0 else { return false }
    var text = text
    return text.withUTF8 {
      vv_emit_bytes(
        &vv_thread_current().pointee.writer, gate, RecordKind.value.rawValue,
        PayloadKind.string.rawValue, stream, 0, 0, $0.baseAddress, UInt32($0.count),
        UInt32($0.count))
    }
  }

  /// Fails, with a text.
  func fail() {
    let gate = vv_gate_load()
    guard gate != 0 else { return }
    vv_emit(
      &vv_thread_current().pointee.writer, gate, RecordKind.failed.rawValue,
      PayloadKind.unit.rawValue, stream, 0, 0)
  }

  /// Swallows a value.
  func absorb(reason: UInt64) {
    let gate = vv_gate_load()
    guard gate != 0 else { return }
    vv_emit_word(
      &vv_thread_current().pointee.writer, gate, RecordKind.absorbed.rawValue,
      PayloadKind.reason.rawValue, stream, 0, 0, reason)
  }
}
