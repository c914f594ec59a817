/// A cold stream: a recipe for events.
///
/// Nothing happens until a producer is started; each start does the work anew and has its own
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

  /// Starts into an observer of any kind, for a user.
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

// Safety: recipes are immutable, and their closures are Sendable. One thing is the user's
// responsibility, as `init(_:)` says: that a sequence may be iterated on any thread.
extension SignalProducer: @unchecked Sendable where Value: Sendable {}

extension SignalProducer: CustomStringConvertible {
  /// The stream's name.
  public var description: String { NameRendering.name(of: .recipe(recipe)) }

  /// What the name would be if `named(_:)` had not given one last.
  public var derivation: String { NameRendering.derivation(of: .recipe(recipe)) }
}
