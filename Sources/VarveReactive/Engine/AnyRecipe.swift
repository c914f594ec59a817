internal import Synchronization
internal import VarveProbe

/// The type-independent part of a producer's recipe: the identity of its stream.
@usableFromInline
class AnyRecipe: @unchecked Sendable {
  // Safety: the word is written once: by `init`, or by the thread whose exchange succeeds.
  /// The title, retained; 0 until it is first needed.
  private let titleWord: Atomic<UInt>

  init(
    _ operation: Operation, parents: [StreamReference] = [], name: String? = nil,
    place: Place? = nil,
    valueType: any Any.Type
  ) {
    let title = StreamTitle(
      operation, parents: parents, name: name, place: place, valueType: valueType)
    titleWord = Atomic(UInt(bitPattern: Unmanaged.passRetained(title).toOpaque()))
  }

  /// Creates a recipe for a stream that has a title.
  init(_ title: StreamTitle) {
    titleWord = Atomic(UInt(bitPattern: Unmanaged.passRetained(title).toOpaque()))
  }

  /// Creates a recipe of a subclass that overrides `makeTitle()` because it is often created and
  /// rarely inspected.
  init() { titleWord = Atomic(0) }

  /// The identity of the stream without the work that the recipe describes.
  final var title: StreamTitle {
    if let known = UnsafeRawPointer(bitPattern: titleWord.load(ordering: .acquiring)) {
      return Unmanaged<StreamTitle>.fromOpaque(known).takeUnretainedValue()
    }
    let title = makeTitle()
    let new = Unmanaged.passRetained(title)
    let (exchanged, other) = titleWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    guard !exchanged, let pointer = UnsafeRawPointer(bitPattern: other) else { return title }
    new.release()
    return Unmanaged<StreamTitle>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Creates the title of a recipe that was created without one.
  func makeTitle() -> StreamTitle { StreamTitle(.source("producer"), valueType: Any.self) }

  /// The identity of the recipe's stream, numbered on first use.
  final var identity: StreamIdentity { title.identity }

  deinit {
    if let title = UnsafeRawPointer(bitPattern: titleWord.load(ordering: .relaxed)) {
      Unmanaged<StreamTitle>.fromOpaque(title).release()
    }
  }
}
