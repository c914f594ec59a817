internal import Synchronization
internal import VarveProbe

/// Who a producer's stream is: what a recipe is without its work.
///
/// The stages of a run refer to it, and so do the titles of what is made of the stream. So neither a
/// name nor a place in a trace keeps a value or a closure of a recipe alive.
@usableFromInline
package final class StreamTitle: @unchecked Sendable {
  // Safety: `identityWord` is written once, by the thread whose exchange succeeds; `parents` is
  // changed by `deinit` alone; the rest is immutable.
  private let identityWord = Atomic<UInt>(0)
  let operation: Operation
  /// The streams that feed it; emptied when the title goes.
  @exclusivity(unchecked) private(set) var parents: [StreamReference]
  /// The name that the user gave.
  let name: String?
  let place: Place?
  private let valueType: any Any.Type
  private let scope: TemplateScope?

  /// - Parameter scope: the one that was in force when the recipe was made.
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
    // So that a trace knows when it was made, whether anybody starts it or not.
    if Gate.isOpen { _ = identity }
  }

  /// Who the stream is; numbered when first asked.
  var identity: StreamIdentity {
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .acquiring)) {
      return Unmanaged<StreamIdentity>.fromOpaque(known).takeUnretainedValue()
    }
    return makeIdentityAfterParents()
  }

  /// Whether the stream has been numbered.
  private var isNumbered: Bool { identityWord.load(ordering: .relaxed) != 0 }

  /// Numbers the stream after those that feed it, however long the chain is.
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

  /// Numbers the stream; those that feed it are numbered.
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

  /// A stream of its own.
  func newIdentity() -> StreamIdentity {
    StreamIdentity(
      operation, parents: parents.map(\.identity), name: name, place: place, valueType: valueType,
      isHot: false)
  }

  /// What two recipes have in common that were written at one place of the program.
  var template: TemplateScope.Template {
    TemplateScope.Template(
      label: operation.filledLabel, name: name, place: place,
      parents: parents.map(\.identity.id), valueType: ObjectIdentifier(valueType))
  }

  deinit {
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .relaxed)) {
      Unmanaged<StreamIdentity>.fromOpaque(known).release()
    }
    if !parents.isEmpty { DeepRelease.letGo(of: &parents) }
  }
}
