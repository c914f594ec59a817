import Testing
import VarveReactive
import VarveTestRig
import VarveTesting

/// What a run that goes on keeps of the recipe that it was started from.
@Suite struct ForgottenRecipeTests {
  /// Those that may start their source once more.
  private static let starters = [".repeat", ".retry"]

  private static var subjects: [OperatorUnderTest] {
    OperatorTable.all.filter { subject in
      subject.cold != nil && !starters.contains { subject.name.contains($0) }
    }
  }

  private func expectForgotten(_ subject: OperatorUnderTest) {
    guard let trial = subject.cold?(1) else { return }
    #expect(trial.recipeProbe?.isHeld == false, "when it was started")
    if subject.inputCount > 0 { trial.send(0) }
    #expect(trial.recipeProbe?.isHeld == false, "after a value")
  }

  @Test("P15: a run of it keeps nothing of what its source's recipe holds", arguments: subjects)
  func unrecorded(_ subject: OperatorUnderTest) { expectForgotten(subject) }

  @Test("P15: nor does one that is recorded")
  func recorded() async {
    await ProbeRig.record { _ in
      for subject in Self.subjects { expectForgotten(subject) }
    }
  }

  private typealias Producer = SignalProducer<Int, TestFailure>

  /// Operators that start another stream; that is made when it is asked for, and once.
  private static let makers:
    [@Sendable (Producer, @escaping @Sendable () -> Producer) -> Producer] = [
      { source, make in source.flatMap(.latest) { _ in make() } },
      { source, make in source.flatMap(.merge) { _ in make() } },
      { source, make in source.flatMap(.concat) { _ in make() } },
      { source, make in source.flatMap(.race) { _ in make() } },
      { source, make in source.flatMap(.throttle) { _ in make() } },
      { source, make in source.attempt { _ in .failure(TestFailure()) }.flatMapError { _ in make() }
      },
    ]

  @Test("P15: an inner run that goes on keeps nothing of its recipe", arguments: makers.indices)
  func inner(_ index: Int) {
    let probe = Box<WeakProbe?>(nil)
    let run = Self.makers[index](Producer([1])) {
      let token = Token()
      probe.set(WeakProbe(token))
      return Producer { observer, lifetime in
        withExtendedLifetime(token) {}
        lifetime.observeEnded { withExtendedLifetime(observer) {} }
      }.map { $0 }.merge(with: .never)
    }.start()
    #expect(!run.isDisposed)
    #expect(probe.value?.isHeld == false)
    run.dispose()
  }
}
