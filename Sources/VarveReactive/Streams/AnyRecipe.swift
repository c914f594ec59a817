internal import Synchronization

/// The part of a producer's recipe that does not depend on its types: who the stream is.
class AnyRecipe: @unchecked Sendable {
  // Safety: `identityWord` is written once, by the thread whose exchange succeeds.
  private let identityWord = Atomic<UInt>(0)

  /// Who the recipe's stream is; numbered when first asked.
  final var identity: StreamIdentity {
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .acquiring)) {
      return Unmanaged<StreamIdentity>.fromOpaque(known).takeUnretainedValue()
    }
    let new = Unmanaged.passRetained(makeIdentity())
    let (exchanged, other) = identityWord.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    if exchanged { return new.takeUnretainedValue() }
    new.release()
    return Unmanaged<StreamIdentity>.fromOpaque(UnsafeRawPointer(bitPattern: other)!)
      .takeUnretainedValue()
  }

  /// Makes the identity that `identity` keeps.
  func makeIdentity() -> StreamIdentity { fatalError("every recipe says what it makes") }

  deinit {
    if let known = UnsafeRawPointer(bitPattern: identityWord.load(ordering: .relaxed)) {
      Unmanaged<StreamIdentity>.fromOpaque(known).release()
    }
  }
}
