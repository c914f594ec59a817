internal import VarveProbe

/// What a composite disposable or a lifetime will dispose of, in order of addition.
///
/// The list is linked through its entries, and an entry is the handle that `add` returns: adding is
/// one allocation, detaching costs the same however long the list is, and there is no table beside.
final class DisposalList: Sendable {
  fileprivate struct Chain {
    var isDisposed = false
    var first: DisposalEntry?
    var last: DisposalEntry?
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
    // Taken apart link by link: releasing a long chain by its first link would recurse.
    while let entry = next {
      next = entry.next
      entry.next = nil
      let disposal = entry.disposal
      entry.disposal = nil
      if let disposal { body(disposal) }
    }
  }

  fileprivate func detach(_ entry: DisposalEntry) {
    // What was held is released outside the lock, because that may run a stranger's `deinit`.
    _ = chain.withLock { $0.remove(entry) }
  }
}

/// One addition to a list; disposing of it detaches the addition without performing it.
final class DisposalEntry: Disposable {
  private let list: DisposalList
  // Safety: guarded by the list's lock until the list is disposed of; afterwards the thread that
  // disposes of it is the only one to touch them, because `remove` and `append` refuse.
  fileprivate nonisolated(unsafe) var disposal: Disposal?
  fileprivate nonisolated(unsafe) var next: DisposalEntry?
  fileprivate nonisolated(unsafe) unowned(unsafe) var previous: DisposalEntry?

  fileprivate init(_ disposal: Disposal, in list: DisposalList) {
    self.disposal = disposal
    self.list = list
  }

  var isDisposed: Bool {
    list.chain.withLock { $0.isDisposed || disposal == nil }
  }

  func dispose() {
    list.detach(self)
  }
}

extension DisposalList.Chain {
  /// False when it is too late.
  fileprivate mutating func append(_ entry: DisposalEntry) -> Bool {
    guard !isDisposed else { return false }
    entry.previous = last
    if let last { last.next = entry } else { first = entry }
    last = entry
    return true
  }

  fileprivate mutating func remove(_ entry: DisposalEntry) -> Disposal? {
    guard !isDisposed, let disposal = entry.disposal else { return nil }
    entry.disposal = nil
    if let previous = entry.previous { previous.next = entry.next } else { first = entry.next }
    if let next = entry.next { next.previous = entry.previous } else { last = entry.previous }
    entry.next = nil
    entry.previous = nil
    return disposal
  }

  fileprivate mutating func end() -> DisposalEntry? {
    defer {
      isDisposed = true
      first = nil
      last = nil
    }
    return isDisposed ? nil : first
  }
}
