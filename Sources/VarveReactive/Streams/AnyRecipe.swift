internal import Synchronization
internal import VarveProbe

/// The part of a producer's recipe that does not depend on its types: who the stream is.
@usableFromInline
class AnyRecipe: @unchecked Sendable {
  // Safety: `identityWord` is written once, by the thread whose exchange succeeds; `parents` is
  // changed by `deinit` alone; the rest is immutable.
  private let identityWord = Atomic<UInt>(0)
  let operation: Operation
  /// The streams that feed it; emptied when the recipe goes.
  private(set) var parents: [Origin]
  /// The name that the user gave.
  let name: String?
  let place: Place?
  private let valueType: any Any.Type
  private let scope: TemplateScope?
  /// Who the stream is, without the work; nil when this is that itself.
  private let title: AnyRecipe?

  /// - Parameter isTitled: whether `Origin`s of the stream shall hold nothing of the work. A recipe
  ///   whose closure gets the input asks for it: the user may keep the input after the end.
  init(
    _ operation: Operation, parents: [Origin] = [], name: String? = nil, place: Place? = nil,
    valueType: any Any.Type, isTitled: Bool = false
  ) {
    title =
      isTitled
      ? AnyRecipe(
        operation, parents: parents, name: name, place: place, valueType: valueType) : nil
    self.operation = operation
    self.parents = parents
    self.name = name
    self.place = place
    self.valueType = valueType
    scope = TemplateScope.current
    // So that a trace knows when it was made, whether anybody starts it or not.
    if Gate.isOpen, title == nil { _ = identity }
  }

  /// Where a stage of a run finds out which stream it delivers.
  final var origin: Origin { .recipe(title ?? self) }

  /// Who the recipe's stream is; numbered when first asked.
  final var identity: StreamIdentity {
    if let title { return title.identity }
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .acquiring)) {
      return Unmanaged<StreamIdentity>.fromOpaque(known).takeUnretainedValue()
    }
    return makeIdentityAfterParents()
  }

  /// Whether the stream has been numbered.
  private final var isNumbered: Bool {
    if let title { return title.isNumbered }
    return identityWord.load(ordering: .relaxed) != 0
  }

  /// Numbers the stream after those that feed it, however long the chain is.
  @inline(never)
  private func makeIdentityAfterParents() -> StreamIdentity {
    var path: [(recipe: AnyRecipe, parents: ArraySlice<Origin>)] = [(self, parents[...])]
    while let last = path.indices.last, last > 0 || !path[last].parents.isEmpty {
      if let parent = path[last].parents.popFirst() {
        guard case .recipe(let recipe) = parent, !recipe.isNumbered else { continue }
        path.append((recipe, recipe.parents[...]))
      } else {
        _ = path.removeLast().recipe.makeIdentity()
      }
    }
    return makeIdentity()
  }

  /// Numbers the stream; those that feed it are numbered.
  private func makeIdentity() -> StreamIdentity {
    if let title { return title.makeIdentity() }
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
  final func newIdentity() -> StreamIdentity {
    StreamIdentity(
      operation, parents: parents.map(\.identity), name: name, place: place, valueType: valueType,
      isHot: false)
  }

  /// What two recipes have in common that were written at one place of the program.
  final var template: TemplateScope.Template {
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
