/// The inputs of one start of `combineLatest` or `zip`, before they are connected.
///
/// `Joint` is the state that their inlets share, which is made once all inputs are known.
struct JoinedInputs<Joint, Output, Failure: Error> {
  private let root: Root<Output, Failure>
  private let disposables: CompositeDisposable
  private var connections: [(Joint) -> Void] = []

  init(_ root: Root<Output, Failure>, _ disposables: CompositeDisposable) {
    self.root = root
    self.disposables = disposables
  }

  /// Adds an input.
  ///
  /// - Parameter makeInlet: returns the inlet, and what reports the values that are left in it
  ///   after the end.
  mutating func add<Input>(
    _ feed: Feed<Input, Failure>,
    _ makeInlet:
      @escaping (Joint) -> (
        inlet: JoinedInlet<Input, Output, Failure>, discard: @Sendable () -> Void
      )
  ) {
    connections.append { [root, disposables] joint in
      guard !root.isOver else { return }
      let (inlet, discard) = makeInlet(joint)
      disposables.add(discard)
      feed.connect(inlet, stoppedBy: disposables)
    }
  }

  /// Connects all inputs.
  ///
  /// - Parameter empty: the value to send if there are none.
  func connect(empty: Output?, _ makeJoint: (Root<Output, Failure>) -> Joint) {
    guard !connections.isEmpty else {
      if let empty { root.send(empty) }
      return root.send(.completed)
    }
    let joint = makeJoint(root)
    for connect in connections { connect(joint) }
  }
}

/// Receives one input of `combineLatest` or `zip`.
class JoinedInlet<Input, Output, Failure: Error>: Inlet<Input, Failure, Output, Failure> {
  /// Takes the completion, inside the root's serializer.
  func takeCompletion() {}

  override final func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .completed: root.perform(DeferredClosure(inside: { [self] in takeCompletion() }))
    case .failed, .interrupted: root.send(termination)
    }
  }
}
