import CVarveSystem
import Testing

/// The tables of `Docs/Format.md` that are about the sidecar, against the code's structures.
@Suite("Docs/Format.md, the sidecar") struct SidecarDocumentTests {
  private let document: FormatDocument

  init() throws { document = try FormatDocument() }

  /// A field of a structure: where it is and how long.
  private struct Field {
    let offset: Int?
    let size: Int
  }

  private func field<Structure, Value>(_ path: KeyPath<Structure, Value>) -> Field {
    Field(
      offset: MemoryLayout<Structure>.offset(of: path), size: MemoryLayout<Value>.size)
  }

  private func expect(
    _ heading: String, _ fields: [String: Field],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let offsets = try document.numbers(heading, "FIELD", "OFFSET")
    let sizes = try document.numbers(heading, "FIELD", "SIZE")
    #expect(offsets == fields.compactMapValues(\.offset), sourceLocation: sourceLocation)
    #expect(sizes == fields.mapValues(\.size), sourceLocation: sourceLocation)
  }

  @Test("F1: the document's fields of the sidecar's header and of ringless threads are the code's")
  func header() throws {
    try expect(
      "Sidecar header",
      [
        "magic": field(\vv_sidecar.magic), "version": field(\vv_sidecar.version),
        "header_bytes": field(\vv_sidecar.header_bytes),
        "trace_low": field(\vv_sidecar.trace_low), "trace_high": field(\vv_sidecar.trace_high),
        "process_id": field(\vv_sidecar.process_id),
        "process_start": field(\vv_sidecar.process_start),
        "boot_id": field(\vv_sidecar.boot_id), "extent": field(\vv_sidecar.extent),
        "ringless": field(\vv_sidecar.ringless),
        "ringless_offset": field(\vv_sidecar.ringless_offset),
        "is_stopped": field(\vv_sidecar.is_stopped), "is_locked": field(\vv_sidecar.is_locked),
        "pid_namespace": field(\vv_sidecar.pid_namespace),
        "seen_ticks": field(\vv_sidecar.seen_ticks), "crash": field(\vv_sidecar.crash),
        "wait_state": field(\vv_sidecar.wait_state), "wait_status": field(\vv_sidecar.wait_status),
        "others": field(\vv_sidecar.others), "stack": field(\vv_sidecar.stack),
      ])
    try expect(
      "Crash",
      [
        "state": field(\vv_crash.state), "signal": field(\vv_crash.signal),
        "ring_id": field(\vv_crash.ring_id), "thread_id": field(\vv_crash.thread_id),
        "program_counter": field(\vv_crash.program_counter), "address": field(\vv_crash.address),
        "ticks": field(\vv_crash.ticks),
      ])
    try expect(
      "Crash stack",
      ["count": field(\vv_crash_stack.count), "frames": field(\vv_crash_stack.frames)])
    try expect(
      "Thread without a ring",
      [
        "loss": field(\vv_ringless.loss), "thread_id": field(\vv_ringless.thread_id),
        "ring_id": field(\vv_ringless.ring_id), "name": field(\vv_ringless.name),
      ])
  }

  @Test("F1: the document's fields of regions, rings and their losses are the code's")
  func regions() throws {
    try expect(
      "Region",
      [
        "magic": field(\vv_region.magic), "trace_low": field(\vv_region.trace_low),
        "trace_high": field(\vv_region.trace_high), "bytes": field(\vv_region.bytes),
        "kind": field(\vv_region.kind),
      ])
    try expect(
      "Ring",
      [
        "region": field(\vv_ring.region), "capacity": field(\vv_ring.capacity),
        "thread_id": field(\vv_ring.thread_id), "ring_id": field(\vv_ring.ring_id),
        "session": field(\vv_ring.session), "thread_name": field(\vv_ring.thread_name),
        "head": field(\vv_ring.head), "state": field(\vv_ring.state),
        "tail": field(\vv_ring.tail), "drained": field(\vv_ring.drained),
        "gap_until": field(\vv_ring.gap_until), "gap_count": field(\vv_ring.gap_count),
        "gap_first": field(\vv_ring.gap_first), "gap_last": field(\vv_ring.gap_last),
        "losses": field(\vv_ring.losses),
      ])
    try expect(
      "Run of losses",
      [
        "state": field(\vv_loss.state), "count": field(\vv_loss.count),
        "first": field(\vv_loss.first), "last": field(\vv_loss.last),
      ])
    #expect(VV_RING_HEADER_BYTES == 16_384 && VV_RING_LOSSES == 32)
    #expect(VV_SIDECAR_RINGLESS_OFFSET == 4_096 && VV_SIDECAR_HEADER_BYTES == 16_384)
    #expect(VV_SIDECAR_RINGLESS == 64)
  }
}
