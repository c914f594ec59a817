internal import Synchronization
internal import VarveProbe

/// The identity of a producer's stream: its recipe without the work.
///
/// The stages of a run, and the titles of streams derived from this one, refer to the title instead
/// of the recipe. So neither names nor traces keep a recipe's values or closures alive.
@usableFromInline
package final class StreamTitle: @unchecked Sendable {
  // Safety: `identityWord` is written once, by the thread whose exchange succeeds; only `deinit`
  // changes `parents`; the rest is immutable.
  private let identityWord = Atomic<UInt>(0)
  let operation: Operation
  /// The streams that feed this one; emptied when the title is released.
  @exclusivity(unchecked) private(set) var parents: [StreamReference]
  /// The name that the user gave to the stream, if any.
  let name: String?
  let place: Place?
  private let valueType: any Any.Type
  private let scope: TemplateScope?

  /// - Parameter scope: the scope that was in force when the recipe was made.
  init(
    _ operation: Operation, parents: [StreamReference] = [], name: String? = nil,
    place: Place? = nil,
    valueType: any Any.Type, in scope: TemplateScope? = .current
  ) {
    self.operation = operation
    self.parents = parents
    self.name = name
    self.place = place
    self.valueType = valueType
    self.scope = scope
    // Numbering records in a trace when the stream was created, whether or not it is started.
    if Gate.isOpen { _ = identity }
  }

  /// The identity of the stream, numbered on first use.
  var identity: StreamIdentity {
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .acquiring)) {
      return Unmanaged<StreamIdentity>.fromOpaque(known).takeUnretainedValue()
    }
    return makeIdentityAfterParents()
  }

  /// Whether the stream has been numbered.
  private var isNumbered: Bool { identityWord.load(ordering: .relaxed) != 0 }

  /// Numbers the stream after the streams that feed it, however long the chain is.
  @inline(never)
  private func makeIdentityAfterParents() -> StreamIdentity {
    var path: [(title: StreamTitle, parents: ArraySlice<StreamReference>)] = [(self, parents[...])]
    while let last = path.indices.last, last > 0 || !path[last].parents.isEmpty {
      if let parent = path[last].parents.popFirst() {
        guard case .title(let title) = parent, !title.isNumbered else { continue }
        path.append((title, title.parents[...]))
      } else {
        _ = path.removeLast().title.makeIdentity()
      }
    }
    return makeIdentity()
  }

  /// Numbers the stream; the streams that feed it are already numbered.
  private func makeIdentity() -> StreamIdentity {
    let identity = scope?.identity(of: self) ?? newIdentity()
    let new = Unmanaged.passRetained(identity)
    let (exchanged, other) = identityWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    if exchanged { return identity }
    new.release()
    guard let pointer = UnsafeRawPointer(bitPattern: other) else { return identity }
    return Unmanaged<StreamIdentity>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Creates an identity for this stream alone.
  func newIdentity() -> StreamIdentity {
    StreamIdentity(
      operation, parents: parents.map(\.identity), name: name, place: place, valueType: valueType,
      isHot: false)
  }

  /// The properties shared by recipes that are created at the same place in the program.
  var template: TemplateScope.Template {
    TemplateScope.Template(
      label: operation.filledLabel, name: name, place: place,
      parents: parents.map(\.identity.id), valueType: ObjectIdentifier(valueType),
      way: place == nil && parents.isEmpty ? Stacks.wayInScopeIfRecorded : 0)
  }

  deinit {
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .relaxed)) {
      Unmanaged<StreamIdentity>.fromOpaque(known).release()
    }
    if !parents.isEmpty { DeepRelease.letGo(of: &parents) }
  }
}
