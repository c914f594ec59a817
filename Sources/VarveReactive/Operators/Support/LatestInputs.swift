internal import Synchronization

/// The inputs of one start of a `combineLatest`, before they are connected.
///
/// The caller keeps a `Latest` for each input and supplies a closure that reads them. That closure
/// is created where the types of the values are known, so that it builds a tuple without looking up
/// its type, for any number of inputs.
@usableFromInline
final class LatestInputs<Output, Failure: Error> {
  private var inputs: JoinedInputs<Combination<Output, Failure>, Output, Failure>
  private var cells: [AnyLatest] = []

  init(_ root: Root<Output, Failure>, _ disposables: CompositeDisposable) {
    inputs = JoinedInputs(root, disposables)
  }

  /// Adds a signal and returns the cell for its latest value.
  @usableFromInline
  func latest<Input>(of signal: Signal<Input, Failure>) -> Latest<Input> { add(signal.feed) }

  /// Adds a producer and returns the cell for its latest value.
  @usableFromInline
  func latest<Input>(of producer: SignalProducer<Input, Failure>) -> Latest<Input> {
    add(producer.feed)
  }

  func add<Input>(_ feed: Feed<Input, Failure>) -> Latest<Input> {
    let cell = Latest<Input>()
    cells.append(cell)
    inputs.add(feed) { combination in
      let inlet = LatestInlet(combination, cell)
      return (inlet, { [account = inlet.account] in cell.discard(account, .ended) })
    }
    return cell
  }

  /// Connects all inputs.
  ///
  /// - Parameter empty: the value to send if there are none.
  fileprivate func connect(joinedBy join: @escaping () -> Output, empty: Output?) {
    inputs.connect(empty: empty) { Combination($0, cells, join) }
  }
}

/// The state that the inlets of a `combineLatest` share. Changed inside the root's serializer.
private final class Combination<Output, Failure: Error> {
  let root: Root<Output, Failure>
  private let cells: [AnyLatest]
  private let join: () -> Output
  /// The number of deliveries that have named causes.
  // Safety: changed inside the root's serializer.
  @exclusivity(unchecked) private final var turn: UInt64 = 0
  /// The number of inputs that have no value yet.
  private let missing: Atomic<Int>
  /// The number of inputs that have not completed.
  private let running: Atomic<Int>

  init(_ root: Root<Output, Failure>, _ cells: [AnyLatest], _ join: @escaping () -> Output) {
    self.root = root
    self.cells = cells
    self.join = join
    missing = Atomic(cells.count)
    running = Atomic(cells.count)
  }

  /// Takes a value of an input.
  @inline(__always)
  func put<Input>(
    _ value: Input, in cell: Latest<Input>, _ account: @autoclosure () -> InputAccount
  ) {
    if cell.isEmpty { missing.subtract(1, ordering: .relaxed) }
    cell.put(value, account())
    guard missing.load(ordering: .relaxed) == 0 else { return }
    if HeldCause.isKept { recallCauses() }
    root.deliver(join())
  }

  @inline(never)
  private func recallCauses() {
    turn &+= 1
    for cell in cells { cell.recallCause(ifNamed: false, in: turn) }
    for cell in cells { cell.recallCause(ifNamed: true, in: turn) }
  }

  /// Takes the completion of an input.
  func complete() {
    if running.subtract(1, ordering: .relaxed).newValue == 0 { root.finish(.completed) }
  }
}

private final class LatestInlet<Input, Output, Failure: Error>:
  JoinedInlet<Input, Output, Failure>
{
  private let combination: Combination<Output, Failure>
  private let cell: Latest<Input>

  init(_ combination: Combination<Output, Failure>, _ cell: Latest<Input>) {
    self.combination = combination
    self.cell = cell
    super.init(combination.root)
  }

  override func receive(_ value: Input) {
    root.takeTurn(from: feed) { combination.put(value, in: cell, account) }
  }

  override func takeCompletion() { combination.complete() }
}

extension Junction {
  /// Returns a junction that delivers the result of the closure that `prepare` returns, once every
  /// input added by `prepare` has a value and whenever one changes.
  ///
  /// - Parameter empty: the value to deliver if there are no inputs.
  static func combining(
    _ operation: Operation, _ inputs: [any Upstream], empty: Output? = nil,
    _ prepare: @escaping (LatestInputs<Output, OutputFailure>) -> () -> Output
  ) -> Junction {
    Junction(operation, inputs: inputs) { root, disposables in
      let inputs = LatestInputs(root, disposables)
      inputs.connect(joinedBy: prepare(inputs), empty: empty)
    }
  }

  /// Returns a junction that transforms the latest values of a sequence of inputs.
  ///
  /// - Parameter empty: the value to deliver if there are no inputs.
  static func combining<Value>(
    _ operation: Operation, _ feeds: [Feed<Value, OutputFailure>], empty: Output?,
    _ transform: @escaping ([Value]) -> Output
  ) -> Junction {
    combining(operation, feeds, empty: empty) { inputs in
      let cells = feeds.map { inputs.add($0) }
      return { transform(cells.map(\.value)) }
    }
  }
}
