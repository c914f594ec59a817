internal import VarveProbe

/// What a composite disposable or a lifetime will dispose of, in order of addition.
///
/// The list is linked through its entries, and an entry is the handle that `add` returns: adding is
/// one allocation, detaching costs the same however long the list is, and there is no table beside.
///
/// A list is shared by whoever has a copy.
struct DisposalList: Sendable {
  fileprivate struct Chain {
    var isDisposed = false
    var first: Unmanaged<DisposalEntry>?
    var last: Unmanaged<DisposalEntry>?
  }

  fileprivate let chain = Lock(Chain())

  var isDisposed: Bool { chain.withLock { $0.isDisposed } }

  /// Adds, and returns what detaches it again; performs it at once, and returns nil, when the list
  /// has been disposed of.
  func add(_ disposal: Disposal) -> DisposalEntry? {
    let entry = DisposalEntry(disposal, in: self)
    guard chain.withLock({ $0.append(entry) }) else {
      disposal.perform()
      return nil
    }
    return entry
  }

  /// Performs everything in order of addition, once.
  func dispose() {
    drain { $0.perform() }
  }

  /// Lets go of everything without performing it: nobody can dispose of the list any more.
  func abandon() {
    drain { _ in }
  }

  private func drain(_ body: (Disposal) -> Void) {
    var next = chain.withLock { $0.end() }
    while let link = next {
      let entry = link.takeRetainedValue()
      next = entry.next
      if let disposal = entry.disposal.take() { body(disposal) }
    }
  }
}

/// One addition to a list; disposing of it detaches the addition without performing it.
///
/// The list owns one reference to each of its entries; the links are bare, because counting them
/// would cost more than everything else.
final class DisposalEntry: Disposable {
  private let list: DisposalList
  // Safety: guarded by the list's lock until the list is disposed of; afterwards the thread that
  // disposes of it is the only one to touch them, because `remove` and `append` refuse.
  fileprivate nonisolated(unsafe) var disposal: Disposal?
  fileprivate nonisolated(unsafe) var next: Unmanaged<DisposalEntry>?
  fileprivate nonisolated(unsafe) var previous: Unmanaged<DisposalEntry>?

  fileprivate init(_ disposal: Disposal, in list: DisposalList) {
    self.disposal = disposal
    self.list = list
  }

  var isDisposed: Bool {
    list.chain.withLock { $0.isDisposed || disposal == nil }
  }

  func dispose() {
    // What was held is released outside the lock, because that may run a stranger's `deinit`.
    withExtendedLifetime(list.chain.withLock { $0.remove(self) }) {}
  }
}

extension DisposalList.Chain {
  /// False when it is too late.
  fileprivate mutating func append(_ entry: DisposalEntry) -> Bool {
    guard !isDisposed else { return false }
    let link = Unmanaged.passRetained(entry)
    entry.previous = last
    if let last { last._withUnsafeGuaranteedRef { $0.next = link } } else { first = link }
    last = link
    return true
  }

  fileprivate mutating func remove(_ entry: DisposalEntry) -> Disposal? {
    guard !isDisposed, let disposal = entry.disposal.take() else { return nil }
    let (previous, next) = (entry.previous, entry.next)
    if let previous { previous._withUnsafeGuaranteedRef { $0.next = next } } else { first = next }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previous = previous }
    } else {
      last = previous
    }
    Unmanaged.passUnretained(entry).release()
    return disposal
  }

  fileprivate mutating func end() -> Unmanaged<DisposalEntry>? {
    let first = isDisposed ? nil : first
    self = DisposalList.Chain(isDisposed: true)
    return first
  }
}
