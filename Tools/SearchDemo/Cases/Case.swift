/// Programs with one mistake each, which the command `varve` finds. The line that bears the mistake
/// ends in `// culprit`; a test compares what the command says.
public enum Case: String, CaseIterable, Sendable {
  /// What is shown belongs to an older query: `.merge` where `.latest` was meant.
  case staleResult = "stale"
  /// Nothing is ever shown: one of three inputs never sends.
  case nothingArrives = "silent"
  /// Each page that is opened leaves an observation behind.
  case leak
  /// Everything lags: one stage keeps a scheduler busy.
  case slowScheduler = "slow"
  /// One press of a button orders twice: a producer is started for each of its uses.
  case doubleOrder = "twice"
  /// A queue waits for work that lies on itself.
  case waitForItself = "hang"
  /// One of two inputs lacks the hop that the other has.
  case wrongThread = "thread"
  /// A background queue traps, four hops from the line that made the value.
  case backgroundCrash = "crash"

  /// Runs the program to its end, if it reaches one.
  public func run() {
    switch self {
    case .staleResult: StaleResult().run()
    case .nothingArrives: NothingArrives().run()
    case .leak: Leak().run()
    case .slowScheduler: SlowScheduler().run()
    case .doubleOrder: DoubleOrder().run()
    case .waitForItself: WaitForItself().run()
    case .wrongThread: WrongThread().run()
    case .backgroundCrash: BackgroundCrash().run()
    }
  }
}
