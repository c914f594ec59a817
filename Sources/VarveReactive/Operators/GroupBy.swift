extension UnaryOperator where InputFailure == OutputFailure {
  static func groupBy<Key: Hashable, Element>(
    _ key: @escaping (Input) -> Key, _ transform: @escaping (Input) -> Element
  ) -> Self where Output == Group<Key, Element, InputFailure> {
    Self(Operation("groupBy(_:)")) {
      GroupStage(key, transform)
    }
  }
}

/// A stream of those values of another stream that share a key.
///
/// A group is hot: an observer that is added during the delivery of the group sees all of its
/// values, including the first.
public struct Group<Key: Hashable, Value, Failure: Error>: SignalProducerConvertible {
  /// The key that the values share.
  public let key: Key
  /// The values.
  public let signal: Signal<Value, Failure>

  /// A producer that observes the group at each start.
  public var producer: SignalProducer<Value, Failure> { SignalProducer(signal) }
}

// Safety: immutable; signals may be used from any thread.
extension Group: @unchecked Sendable where Key: Sendable, Value: Sendable {}

extension Group: CustomStringConvertible {
  /// `Group(key)`.
  public var description: String { "Group(\(key))" }
}

private final class GroupStage<Input, Key: Hashable, Element, Failure: Error>:
  Stage<Input, Failure, Group<Key, Element, Failure>, Failure>
{
  /// A group, with its signal, which may be observed at any time.
  private typealias Member = (root: Root<Element, Failure>, signal: Signal<Element, Failure>)

  private let key: (Input) -> Key
  private let transform: (Input) -> Element
  private var members: [Key: Member] = [:]
  /// The groups in order of arrival.
  private var order: [Root<Element, Failure>] = []

  init(
    _ key: @escaping (Input) -> Key, _ transform: @escaping (Input) -> Element
  ) {
    self.key = key
    self.transform = transform
    super.init()
  }

  // Nothing can send into the groups any more.
  deinit { end(.interrupted) }

  override func receive(_ value: Input) {
    let key = key(value)
    let element = transform(value)
    if let member = members[key] { return member.root.send(element) }
    let member = makeMember()
    members[key] = member
    order.append(member.root)
    forward(Group(key: key, signal: member.signal))
    member.root.send(element)
  }

  override func terminate(_ termination: Termination<Failure>) {
    end(termination)
    finish(termination)
  }

  private func makeMember() -> Member {
    makeBranch(Operation("group"), of: Element.self)
  }

  private func end(_ termination: Termination<Failure>) {
    members = [:]
    let ending = order
    order = []
    for root in ending { root.send(termination) }
  }
}

extension Signal {
  /// Groups the values by key: sends a group, which contains a signal, for each new key.
  ///
  ///     self                    --1--2--3--4--|
  ///     groupBy { $0 % 2 }      --g--h--------|
  ///     g                       --1-----3-----|
  ///     h                       -----2-----4--|
  ///
  /// - *Events*: the end is forwarded to the groups, in order of arrival, and then to the
  ///   observers.
  /// - *Memory*: each group, until the end.
  /// - *Scheduling*: the sender's thread; `key` runs once for each value.
  ///
  /// A group is hot: an observer that is added after the group was delivered, as with `.concat`,
  /// misses values.
  @preconcurrency
  public func groupBy<Key: Hashable>(
    _ key: @escaping @Sendable (Value) -> Key
  ) -> Signal<Group<Key, Value, Failure>, Failure> { applying(.groupBy(key) { $0 }) }

  /// Groups the values by key and transforms each on its way into its group. See `groupBy(_:)`.
  @preconcurrency
  public func groupBy<Key: Hashable, Element>(
    _ key: @escaping @Sendable (Value) -> Key,
    transform: @escaping @Sendable (Value) -> Element
  ) -> Signal<Group<Key, Element, Failure>, Failure> { applying(.groupBy(key, transform)) }
}

extension SignalProducer {
  /// Groups the values by key: sends a group, which contains a signal, for each new key. See
  /// `Signal.groupBy(_:)`.
  @preconcurrency
  public func groupBy<Key: Hashable>(
    _ key: @escaping @Sendable (Value) -> Key
  ) -> SignalProducer<Group<Key, Value, Failure>, Failure> { applying(.groupBy(key) { $0 }) }

  /// Groups the values by key and transforms each on its way into its group. See
  /// `Signal.groupBy(_:)`.
  @preconcurrency
  public func groupBy<Key: Hashable, Element>(
    _ key: @escaping @Sendable (Value) -> Key,
    transform: @escaping @Sendable (Value) -> Element
  ) -> SignalProducer<Group<Key, Element, Failure>, Failure> { applying(.groupBy(key, transform)) }
}
