internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// The identity of a stream: its number, what it was made by and from, and its name if it was given
/// one.
///
/// Every stream has an identity from birth, even while no recording is running, because a later
/// recording has to know it. An identity never changes, so it may be read from any thread.
@usableFromInline
package final class StreamIdentity: @unchecked Sendable {
  // Safety: only `deinit` changes `parents`; the rest is immutable or atomic.

  let id = vv_stream_number()
  let operation: Operation
  private(set) var parents: [StreamIdentity]
  /// The name that the user gave.
  let givenName: String?
  let place: Place?
  let valueType: any Any.Type
  /// Whether the stream is a signal's, whose work goes on with or without observers.
  private let isHot: Bool
  /// The time at which the stream was made, in ticks.
  let born: UInt64
  /// The thread that made the stream, so that leak checks can ignore tests on other threads.
  let maker = UInt(bitPattern: vv_thread_current())
  /// The stack of the code that made the stream, if stacks were recorded; it stands in for the
  /// place of an operator.
  private let stack: UInt32
  /// The inner streams that this stream makes, if it is a producer's `flatMap`; 0 until first
  /// needed.
  private let templateTable = Atomic<UInt>(0)
  /// The recorder's verdict on the stream, and the gate's word for which it is valid.
  private let judged = Atomic<UInt64>(0)
  /// The gate's session in which the stream was last defined.
  private let definedIn = Atomic<UInt32>(0)

  init(
    _ operation: Operation, parents: [StreamIdentity] = [], name: String? = nil,
    place: Place? = nil, valueType: any Any.Type, isHot: Bool = true
  ) {
    self.operation = operation
    self.parents = parents
    givenName = name
    self.place = place
    self.valueType = valueType
    self.isHot = isHot
    born = vv_clock_ticks()
    stack = place == nil ? Stacks.currentIfRecorded : 0
    StreamRegistry.add(self)
    if Gate.isOpen { tellBirth() }
  }

  deinit {
    StreamRegistry.remove(id)
    if let table = UnsafeRawPointer(bitPattern: templateTable.load(ordering: .relaxed)) {
      Unmanaged<TemplateTable>.fromOpaque(table).release()
    }
    if !parents.isEmpty { DeepRelease.letGo(of: &parents) }
  }

  /// Ensures that the trace knows the stream before a record refers to it.
  @inline(__always)
  func define(for gate: UInt32) {
    if !isDefined(for: gate) { defineWithParents(for: gate) }
  }

  private func isDefined(for gate: UInt32) -> Bool {
    definedIn.load(ordering: .relaxed) == gate >> 8
  }

  /// Defines the stream after the streams it was made from, however long the chain is.
  @inline(never)
  private func defineWithParents(for gate: UInt32) {
    guard let receiver = Probe.receiver else { return }
    var path: [(stream: StreamIdentity, parents: ArraySlice<StreamIdentity>)] = [
      (self, parents[...])
    ]
    while let last = path.indices.last {
      if let parent = path[last].parents.popFirst() {
        if !parent.isDefined(for: gate) { path.append((parent, parent.parents[...])) }
      } else {
        let stream = path.removeLast().stream
        Stacks.define(stream.stack, for: gate)
        receiver.define(stream.definition)
        stream.definedIn.store(gate >> 8, ordering: .releasing)
      }
    }
  }

  /// The inner streams that this stream makes, if it is a producer's `flatMap`.
  var templates: TemplateTable {
    if let known = UnsafeRawPointer(bitPattern: templateTable.load(ordering: .acquiring)) {
      return Unmanaged<TemplateTable>.fromOpaque(known).takeUnretainedValue()
    }
    let table = TemplateTable()
    let new = Unmanaged.passRetained(table)
    let (exchanged, other) = templateTable.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !exchanged, let pointer = UnsafeRawPointer(bitPattern: other) else { return table }
    new.release()
    return Unmanaged<TemplateTable>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Returns whether a recorder with this gate's wishes wants the stream.
  func isWanted(by gate: UInt32) -> Bool { verdict(for: gate).isWanted }

  /// Returns how much of the stream the recorder wants.
  func verdict(for gate: UInt32) -> StreamVerdict {
    let known = judged.load(ordering: .relaxed)
    if UInt32(truncatingIfNeeded: known >> 32) == gate {
      return StreamVerdict(rawValue: UInt32(truncatingIfNeeded: known))
    }
    let isCandidate = givenName != nil || Wish(gate: gate).contains(.allStreams)
    let verdict = isCandidate ? Probe.verdict(on: name) : .unwanted
    judged.store(UInt64(gate) << 32 | UInt64(verdict.rawValue), ordering: .relaxed)
    return verdict
  }

  /// The stream's definition in a trace.
  var definition: StreamDefinition {
    StreamDefinition(
      id: id, name: name, derivation: derivation, operation: operation.signature,
      parents: parents.map(\.id), place: place, valueType: TypeNames.qualified(valueType),
      born: born, absorbs: operation.absorbs,
      traits: isHot ? operation.traits.union(.hot) : operation.traits, stack: stack)
  }

  private func tellBirth() {
    let gate = Gate.word
    guard gate != 0, isWanted(by: gate), let thread = vv_thread_current() else { return }
    define(for: gate)
    vv_emit(
      &thread.pointee.writer, gate, RecordKind.assembled.rawValue, PayloadKind.absent.rawValue, id,
      0, 0)
  }
}
