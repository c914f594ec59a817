internal import VarveProbe

/// The way to start a producer's work. A `SignalProducer` is a value that holds a recipe.
@usableFromInline
class Recipe<Value, Failure: Error>: AnyRecipe, @unchecked Sendable {
  // Safety: recipes are immutable.

  /// Starts the work once, delivering to `sink`. `run` adopts what can be interrupted, the most
  /// downstream first.
  func start(into sink: Observer<Value, Failure>, run: Run) {}
}

/// A recipe that runs a start handler.
final class HandlerRecipe<Value, Failure: Error>: Recipe<Value, Failure>, @unchecked Sendable {
  // Safety: immutable.
  private let handler: (Signal<Value, Failure>.Observer, Lifetime) -> Void
  private let recursion: Recursion
  private let keepsInput: Bool

  /// - Parameter keepsInput: whether the run continues after the handler has dropped the input, as
  ///   a user's handler may (contract P14).
  init(
    _ kind: Operation, place: Place?, recursion: Recursion = .refused, keepsInput: Bool = true,
    _ handler: @escaping (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) {
    self.handler = handler
    self.recursion = recursion
    self.keepsInput = keepsInput
    super.init(kind, place: place, valueType: Value.self)
  }

  /// Creates the recipe of a stream that has a title.
  init(
    _ title: StreamTitle, _ handler: @escaping (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) {
    self.handler = handler
    recursion = .refused
    keepsInput = true
    super.init(title)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self), run: Subscription.newNumber())
    root.isSentInto = keepsInput
    let (lifetime, token) = Lifetime.make()
    root.prepare(into: sink, resources: AnyDisposable { token.dispose() })
    run.adopt(root)
    root.introduce()
    guard !root.isOver else { return }
    let input = Signal<Value, Failure>.Input.make(root, recursion: recursion, isOwn: !keepsInput)
    handler(input, lifetime)
    if keepsInput, !root.isOver { run.keep(input) }
  }
}

/// A recipe that delivers the elements of a sequence, then completes.
///
/// A run stays inside its serializer until another thread needs it, so a value costs no lock. The
/// loop over the sequence is a closure made where the sequence's type is known, because a generic
/// loop costs ten times as much as the delivery.
final class SequenceRecipe<Value, Failure: Error>: Recipe<Value, Failure>, @unchecked Sendable {
  // Safety: immutable; each start iterates for itself.
  private let iterate: ((Value) -> Bool) -> Void
  private let scope = TemplateScope.current

  /// - Parameter iterate: calls its argument with each element, until the argument returns false.
  init(_ iterate: @escaping ((Value) -> Bool) -> Void) {
    self.iterate = iterate
    super.init()
    if Gate.isOpen { _ = title }
  }

  override func makeTitle() -> StreamTitle {
    StreamTitle(.source("values"), valueType: Value.self, in: scope)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self), run: Subscription.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    guard !root.isOver else { return }
    root.deliverAll(iterate)
  }
}

/// A recipe that delivers one value, then completes.
///
/// It is usable from inlinable code so that it can be made where its type is known: finding a
/// generic type costs more than the whole start, and `flatMap` makes one such recipe per value.
@usableFromInline
final class ValueRecipe<Value, Failure: Error>: Recipe<Value, Failure>, @unchecked Sendable {
  // Safety: immutable.
  private let value: Value
  private let scope = TemplateScope.current

  @usableFromInline
  init(_ value: Value) {
    self.value = value
    super.init()
    if Gate.isOpen { _ = title }
  }

  override func makeTitle() -> StreamTitle {
    StreamTitle(.source("value"), valueType: Value.self, in: scope)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    if Gate.isOpen { return startThroughRoot(into: sink, run: run) }
    // No other code can send here, so a serializer would have nothing to order.
    if run.isDisposed { return sink.interrupt() }
    sink.receive(value)
    if run.isDisposed { sink.interrupt() } else { sink.complete() }
  }

  private func startThroughRoot(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self), run: Subscription.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    root.send(value)
    root.send(.completed)
  }
}

/// A recipe that ends the stream at once.
final class EndRecipe<Value, Failure: Error>: Recipe<Value, Failure>, @unchecked Sendable {
  // Safety: immutable.
  private let termination: Termination<Failure>

  init(_ kind: Operation, parents: [StreamReference] = [], _ termination: Termination<Failure>) {
    self.termination = termination
    super.init(kind, parents: parents, valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self), run: Subscription.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    root.send(termination)
  }
}

/// A recipe that observes a signal.
final class SignalRecipe<Value, Failure: Error>: Recipe<Value, Failure>, @unchecked Sendable {
  // Safety: immutable.
  private let signal: Signal<Value, Failure>

  init(_ signal: Signal<Value, Failure>) {
    self.signal = signal
    super.init(
      Operation("producer", traits: .standsIn, isTransparent: true),
      parents: [.identity(signal.identity)], valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let subscription = Subscription(to: signal.fanOut.observers, from: sink)
    run.adopt(subscription)
    subscription.attach()
  }
}
