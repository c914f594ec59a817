internal import CVarveSystem
internal import VarveProbe

// Streams that a program makes with `AsyncStream` and `AsyncThrowingStream`, without a change to it. The library
// that `varve run` preloads stands in front of their functions, and calls those below
// (`varve_streams.h`).

/// What is known of one such stream.
private struct FollowedStream {
  let id = vv_stream_number()
  let element: any Any.Type
  let throwsErrors: Bool
  /// What becomes of elements for which there is no room; nil if there always is.
  let drops: AbsorptionReason?
  let limit: Int
  let stack: UInt32
  let born = vv_clock_ticks()
  /// The gate's word that the rest is valid for.
  var gate: UInt32 = 0
  var form: PayloadForm?
  var session: UInt32 = 0
  var hasFinished = false
  /// The records of the elements that were yielded last, for a buffer that drops the oldest ones.
  var last: [UInt64] = []

  static let mostLast = 8

  var operation: String { throwsErrors ? "AsyncThrowingStream" : "AsyncStream" }
  var name: String { "\(operation)<\(TypeNames.short(element))>" }

  /// Notes the record of an element, and returns that of the element that a full buffer would drop for
  /// it; 0 if it is not known.
  mutating func note(_ record: UInt64) -> UInt64 {
    guard drops == .superseded, limit < Self.mostLast else { return drops == nil ? 0 : record }
    last.append(record)
    return last.count > limit ? last.removeFirst() : 0
  }
}

/// All of them, by their storage.
private enum FollowedStreams {
  private static let shards: [Lock<[UInt: FollowedStream]>] = (0..<16).map { _ in
    Probe.keptOverForks(Lock([:]))
  }
  /// A stream that is never finished leaves no sign when it goes.
  private static let mostOfShard = 4_096

  static func change<Result>(
    _ storage: UnsafeMutableRawPointer, _ body: (inout FollowedStream) -> Result
  ) -> Result? {
    let address = UInt(bitPattern: storage)
    return shard(address).withLock { streams in
      guard let slot = streams.index(forKey: address) else { return nil }
      return body(&streams.values[slot])
    }
  }

  /// Notes a stream, in place of one that had its storage there before; nil for one that is not followed.
  static func keep(_ stream: FollowedStream?, at storage: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: storage)
    shard(address).withLock { streams in
      if stream != nil, streams.count >= mostOfShard, let any = streams.keys.first {
        streams[any] = nil
      }
      streams[address] = stream
    }
  }

  private static func shard(_ address: UInt) -> Lock<[UInt: FollowedStream]> {
    shards[Int(truncatingIfNeeded: (address >> 5 ^ address >> 11) & 15)]
  }
}

/// What a record of a stream needs.
private struct Wanted {
  let gate: UInt32
  let id: UInt32
  let form: PayloadForm
  let element: any Any.Type
  let throwsErrors: Bool
  let definition: StreamDefinition?
}

/// Returns what the current recording wants of a stream; nil if nothing.
private func wanted(_ storage: UnsafeMutableRawPointer, _ gate: UInt32) -> Wanted? {
  let found = FollowedStreams.change(storage) { stream -> Wanted? in
    if stream.gate != gate {
      stream.gate = gate
      stream.form = form(stream, gate)
    }
    guard let form = stream.form else { return nil }
    let isNew = stream.session != gate >> 8
    return Wanted(
      gate: gate, id: stream.id, form: form, element: stream.element,
      throwsErrors: stream.throwsErrors, definition: isNew ? definition(stream) : nil)
  }
  guard let wanted = found ?? nil else { return nil }
  if let definition = wanted.definition {
    define(definition.stack, gate)
    // Two threads may define it at the same time, which does no harm.
    Probe.receiver?.define(definition)
    _ = FollowedStreams.change(storage) { $0.session = gate >> 8 }
  }
  return wanted
}

/// Returns how the current recording wants a stream's values; nil if it does not want the stream.
private func form(_ stream: FollowedStream, _ gate: UInt32) -> PayloadForm? {
  let verdict = Probe.verdict(on: stream.name)
  guard verdict.isWanted else { return nil }
  let form = PayloadForm(of: stream.element, wish: verdict.wish(within: Wish(gate: gate)))
  // Nobody asked for the program's own descriptions of its values.
  return switch form {
  case .general, .traced: .typeName
  default: form
  }
}

private func definition(_ stream: FollowedStream) -> StreamDefinition {
  var traits: StreamTraits = [.hot, .holds]
  if stream.drops != nil { traits.insert(.swallows) }
  return StreamDefinition(
    id: stream.id, name: stream.name, derivation: stream.name, operation: stream.operation,
    parents: [], place: nil,
    valueType: TypeNames.qualified(stream.element), born: stream.born, absorbs: stream.drops,
    traits: traits, stack: stream.stack)
}

private func define(_ stack: UInt32, _ gate: UInt32) {
  guard let kept = vv_stack_find(stack), !vv_stack_is_defined(kept, gate >> 8) else { return }
  Probe.receiver?.define(stack: stack)
  vv_stack_mark_defined(kept, gate >> 8)
}

private typealias Thread = UnsafeMutablePointer<vv_thread>

/// Writes a record with `emit`, and who is responsible for it. From then on the thread delivers it,
/// until the passage is over.
private func record(
  _ kind: RecordKind, _ wanted: Wanted, _ frame: UInt, _ passage: UnsafeMutableRawPointer,
  _ emit: (RecordHead, UnsafeMutablePointer<vv_writer>) -> Bool
) {
  let thread: Thread = vv_thread_current()
  let writer = UnsafeMutableRawPointer(thread).assumingMemoryBound(to: vv_writer.self)
  let (outer, ring) = (writer.pointee.cause, writer.pointee.ring_id)
  let head = RecordHead(gate: wanted.gate, kind: kind, stream: wanted.id, subscription: 0)
  guard emit(head, writer) else { return }
  let own = writer.pointee.sequence
  let passed = vv_stream_passage(
    record: vv_reference(writer.pointee.ring_id, own),
    outer: writer.pointee.ring_id == ring ? outer : 0, ring: writer.pointee.ring_id,
    session: writer.pointee.session)
  passage.storeBytes(of: passed, as: vv_stream_passage.self)
  writer.pointee.cause = own
  guard Wish(gate: wanted.gate).contains(.senders) else { return }
  let stack = vv_stack_capture_until(thread, frame, thread.pointee.task_frame)
  define(stack, wanted.gate)
  let payload = HopPayload(stack: stack, parent: thread.pointee.hop)
  _ = RecordHead(gate: wanted.gate, kind: .sent, stream: wanted.id, subscription: 0)
    .emit(.cause, word: payload.word, into: writer)
}

private func end(_ passage: vv_stream_passage) {
  guard passage.record != 0 else { return }
  let thread: Thread = vv_thread_current()
  let writer = UnsafeMutableRawPointer(thread).assumingMemoryBound(to: vv_writer.self)
  let isSame =
    writer.pointee.ring_id == passage.ring && writer.pointee.session == passage.session
  writer.pointee.cause = isSame ? passage.outer : 0
}

// MARK: - What the preloaded library calls

@_cdecl("varve_stream_made")
package func streamMade(
  _ storage: UnsafeMutableRawPointer, _ what: UnsafeRawPointer
) {
  let what = what.load(as: vv_stream_making.self)
  guard let type = what.element else { return }
  let element = unsafeBitCast(type, to: Any.Type.self)
  // The streams behind those with names are recorded under these.
  guard !TypeNames.qualified(element).hasPrefix("VarveTracing.") else {
    return FollowedStreams.keep(nil, at: storage)
  }
  let thread: Thread = vv_thread_current()
  let drops: AbsorptionReason? =
    switch Int(what.policy) {
    case VV_KEEPS_OLDEST: .pastLimit
    case VV_KEEPS_NEWEST: .superseded
    default: nil
    }
  FollowedStreams.keep(
    FollowedStream(
      element: element, throwsErrors: what.throws, drops: drops, limit: Int(what.limit),
      stack: vv_stack_capture_until(thread, what.frame, thread.pointee.task_frame)),
    at: storage)
}

@_cdecl("varve_stream_yields")
package func streamYields(
  _ storage: UnsafeMutableRawPointer, _ value: UnsafeRawPointer?, _ frame: UInt,
  _ passage: UnsafeMutableRawPointer
) -> Bool {
  let gate = Gate.word
  guard gate != 0 else { return FollowedStreams.change(storage) { _ in } != nil }
  guard let wanted = wanted(storage, gate) else { return false }
  func emit<Element>(_: Element.Type) {
    record(.value, wanted, frame, passage) { head, writer in
      guard let value else { return head.emit(.unit, into: writer) }
      let element = value.assumingMemoryBound(to: Element.self)
      return head.emit(element.pointee, as: wanted.form, into: writer)
    }
  }
  _openExistential(wanted.element, do: emit)
  return true
}

/// What became of an element.
private enum Outcome { case kept, dropped, refused }

@_cdecl("varve_stream_yielded")
package func streamYielded(
  _ storage: UnsafeMutableRawPointer, _ result: UnsafeRawPointer, _ passage: UnsafeRawPointer
) {
  let passage = passage.load(as: vv_stream_passage.self)
  end(passage)
  let gate = Gate.word
  guard passage.record != 0, gate != 0, let wanted = wanted(storage, gate) else { return }
  func outcome<Element>(_: Element.Type) -> Outcome {
    if wanted.throwsErrors {
      let result = result.assumingMemoryBound(
        to: AsyncThrowingStream<Element, any Error>.Continuation.YieldResult.self)
      return switch result.pointee {
      case .enqueued: .kept
      case .dropped: .dropped
      case .terminated: .refused
      @unknown default: .kept
      }
    }
    let result = result.assumingMemoryBound(
      to: AsyncStream<Element>.Continuation.YieldResult.self)
    return switch result.pointee {
    case .enqueued: .kept
    case .dropped: .dropped
    case .terminated: .refused
    @unknown default: .kept
    }
  }
  let outcome = _openExistential(wanted.element, do: outcome)
  let known = FollowedStreams.change(storage) { ($0.note(passage.record), $0.drops) }
  guard let (replaced, drops) = known, outcome != .kept,
    Wish(gate: gate).contains(.absorption)
  else { return }
  let reason = outcome == .refused ? AbsorptionReason.ended : drops ?? .ended
  let swallowed = outcome == .refused ? passage.record : replaced
  let thread: Thread = vv_thread_current()
  let writer = UnsafeMutableRawPointer(thread).assumingMemoryBound(to: vv_writer.self)
  if swallowed != 0, vv_reference_is_known(swallowed) != 0 { vv_cause_add_far(writer, swallowed) }
  _ = RecordHead(gate: gate, kind: .absorbed, stream: wanted.id, subscription: 0)
    .emit(.reason, word: UInt64(reason.rawValue), into: writer)
  vv_cause_drop_far(writer)
}

@_cdecl("varve_stream_finishes")
package func streamFinishes(
  _ storage: UnsafeMutableRawPointer, _ failure: UnsafeRawPointer?, _ frame: UInt,
  _ passage: UnsafeMutableRawPointer
) {
  let gate = Gate.word
  let isFirst = FollowedStreams.change(storage) { stream in
    defer { stream.hasFinished = true }
    return !stream.hasFinished
  }
  guard isFirst == true, gate != 0, let wanted = wanted(storage, gate) else { return }
  let failure = failure?.assumingMemoryBound(to: (any Error)?.self).pointee
  record(failure == nil ? .completed : .failed, wanted, frame, passage) { head, writer in
    guard let failure else { return head.emit(.absent, into: writer) }
    return head.emit(.typeOnly, text: TypeNames.qualified(type(of: failure)), into: writer)
  }
}

@_cdecl("varve_stream_finished")
package func streamFinished(_ passage: UnsafeRawPointer) {
  end(passage.load(as: vv_stream_passage.self))
}
