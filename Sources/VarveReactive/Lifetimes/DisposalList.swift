internal import VarveProbe

/// The contents of a composite disposable or a lifetime, in order of addition.
///
/// The list is linked through its entries, and an entry is the handle that `add` returns: adding
/// takes one allocation, detaching costs the same however long the list is, and there is no
/// separate table.
///
/// All copies of a list share its contents.
struct DisposalList: Sendable {
  fileprivate struct Chain {
    var isDisposed = false
    var first: Unmanaged<DisposalEntry>?
    var last: Unmanaged<DisposalEntry>?
  }

  fileprivate let chain = Lock(Chain())

  var isDisposed: Bool { chain.withLock { $0.isDisposed } }

  /// Adds a disposal and returns the handle that detaches it again. If the list has been disposed
  /// of, performs the disposal at once and returns nil.
  func add(_ disposal: Disposal) -> DisposalEntry? {
    let entry = DisposalEntry(disposal, in: self)
    guard chain.withLock({ $0.append(entry) }) else {
      disposal.perform()
      return nil
    }
    return entry
  }

  /// Performs all disposals in order of addition, once.
  func dispose() {
    drain { $0.perform() }
  }

  /// Releases all disposals without performing them, because the list can no longer be disposed of.
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
/// The list owns one reference to each of its entries. The links are not counted, because that
/// would cost more than everything else.
final class DisposalEntry: Disposable {
  private let list: DisposalList
  // Safety: guarded by the list's lock until the list is disposed of; afterwards only the thread
  // that disposes of it touches them, because `remove` and `append` refuse.
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
    // Released outside the lock, because this may run a foreign `deinit`.
    withExtendedLifetime(list.chain.withLock { $0.remove(self) }) {}
  }
}

extension DisposalList.Chain {
  /// Appends an entry; returns false if the list has been disposed of.
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
