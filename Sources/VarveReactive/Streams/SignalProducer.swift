/// A cold stream: a recipe for events.
///
/// Nothing happens until a producer is started. Each start performs the work again and has its own
/// events. A start continues until it ends or is disposed of, as long as its input, or the
/// disposable that `start` returned, is referenced.
///
///     let greeting = SignalProducer<String, Never> { observer, lifetime in
///       observer.send(value: "hello")
///       observer.sendCompleted()
///     }
///     greeting.startWithValues { print($0) }
public struct SignalProducer<Value, Failure: Error> {
  /// The signal that a start produces.
  public typealias ProducedSignal = Signal<Value, Failure>

  let recipe: Recipe<Value, Failure>

  @usableFromInline
  init(_ recipe: Recipe<Value, Failure>) { self.recipe = recipe }

  /// Starts into an observer of any kind, on behalf of client code.
  @usableFromInline
  func start(into sink: Observer<Value, Failure>) -> any Disposable {
    let run = begin(into: sink, as: Run(heardBy: .observer))
    return run.keepsInputs ? RunHandle(run) : run
  }

  /// Starts into an observer of any kind, as a separate run, which keeps its inputs until it ends.
  @discardableResult
  func begin(into sink: Observer<Value, Failure>, as run: Run = Run()) -> Run {
    recipe.start(into: RunEnd(sink, run: run), run: run)
    return run
  }
}

// Safety: recipes are immutable, and their closures are Sendable. The client guarantees that a
// sequence may be iterated on any thread, as `init(_:)` documents.
extension SignalProducer: @unchecked Sendable where Value: Sendable {}

extension SignalProducer: CustomStringConvertible {
  /// The stream's name.
  public var description: String { NameRendering.name(of: .recipe(recipe)) }

  /// The name without the last name given by `named(_:)`.
  public var derivation: String { NameRendering.derivation(of: .recipe(recipe)) }
}
