internal import VarveFormat
internal import VarveProbe

/// What became of the elements of asynchronous streams: which of them had no room, which came after the
/// end, and which tasks took them.
struct StreamElements: TaskGuesser {
  /// What is known of one stream.
  private struct Account {
    var values: UInt64 = 0
    var dropped: UInt64 = 0
    var firstDropped: EventName?
    /// Elements that were yielded after the end.
    var refused: UInt64 = 0
    var firstRefused: EventName?
    /// Elements that were yielded after their consumer had gone.
    var unheard: UInt64 = 0
    var firstUnheard: EventName?
    /// The end, and the stack of the code that finished the stream; 0 if it is not known.
    var end: (event: EventName, stack: UInt32)?
    /// How many elements a task that takes them has yielded itself, from which code the first of these,
    /// and where it waits.
    var selfFed: (count: UInt64, stack: UInt32, wait: UInt32, event: EventName)?
    /// How many consumers have ended by themselves, and the elements that were yielded after all had.
    var ended = 0
    var left: UInt64 = 0
    var firstLeft: EventName?
    /// The tasks that elements have resumed, the first ones, with the functions that waited.
    var consumers: [(task: UInt64, stack: UInt32, event: EventName)] = []

    /// Whether all tasks that took elements have ended by themselves, and not because the stream did.
    var isLeft: Bool {
      end == nil && ended > 0 && ended == consumers.count && ended < StreamElements.mostConsumers
    }
  }

  private let definitions: TraceDefinitions
  private var accounts: [UInt32: Account] = [:]
  private let suspensions: TaskSuspensions
  /// The last end of each thread, whose author's record follows.
  private var ended: [UInt32: (event: EventName, stream: UInt32)] = [:]
  /// The last element of each thread, and the task that yielded it.
  private var yielded: [UInt32: (event: EventName, stream: UInt32, task: UInt64?)] = [:]

  /// The stream of each task that takes elements and has not ended.
  private var taking: [UInt64: UInt32] = [:]

  /// The kinds of events that show it.
  static let kinds: [RecordKind] = [.value, .absorbed, .completed, .failed, .sent]

  private static let mostStreams = 4_096
  private static let mostConsumers = 4

  init(_ definitions: TraceDefinitions, _ suspensions: TaskSuspensions) {
    self.definitions = definitions
    self.suspensions = suspensions
    for stream in definitions.streams.values
    where stream.isFollowed {
      guard accounts.count < Self.mostStreams else { return }
      accounts[stream.id] = Account()
    }
  }

  /// Whether the trace has any such streams.
  var isEmpty: Bool { accounts.isEmpty }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .scheduled(let task):
      guard let stack = suspensions.stack(of: task) else { return }
      noteResumption(of: task, from: stack, by: moment.causes, on: moment.event.ring)
    case .ended(let task, _) where moment.awaited == .nothing && !moment.isCancelled:
      if let stream = taking.removeValue(forKey: task) { accounts[stream]?.ended += 1 }
    default: return
    }
  }

  /// Takes in an event of a thread that runs a task, or none.
  mutating func note(_ columns: EventColumns, _ index: Int, by task: UInt64?) {
    let (stream, event) = (columns.streams[index], columns.name(index))
    guard var account = accounts[stream] else { return }
    accounts[stream] = nil
    defer { accounts[stream] = account }
    switch RecordKind(rawValue: columns.kinds[index]) {
    case .value:
      account.values += 1
      if account.isLeft {
        account.left += 1
        if account.firstLeft == nil { account.firstLeft = event }
      }
      yielded[columns.ring] = (event, stream, task)
    case .absorbed:
      let reason = ReasonPayload(word: columns.words[index]).reason
      if reason == UInt32(AbsorptionReason.ended.rawValue) {
        // The end of its consumer may have ended it before.
        guard account.end != nil else {
          account.unheard += 1
          if account.firstUnheard == nil { account.firstUnheard = event }
          return
        }
        account.refused += 1
        if account.firstRefused == nil { account.firstRefused = event }
      } else {
        account.dropped += 1
        if account.firstDropped == nil { account.firstDropped = event }
      }
    case .completed, .failed:
      if account.end == nil { account.end = (event, 0) }
      ended[columns.ring] = (event, stream)
    case .sent:
      let stack = HopPayload(word: columns.words[index]).stack
      if let last = yielded[columns.ring], last.stream == stream,
        last.event.sequence + 1 == event.sequence
      {
        noteSender(last, stack, &account)
      }
      guard let end = ended[columns.ring], end.stream == stream,
        end.event.sequence + 1 == event.sequence, account.end?.event == end.event
      else { return }
      account.end?.stack = stack
    default: return
    }
  }

  private func noteSender(
    _ element: (event: EventName, stream: UInt32, task: UInt64?), _ stack: UInt32,
    _ account: inout Account
  ) {
    guard stack != 0,
      let consumer = account.consumers.first(where: { $0.task == element.task })
    else { return }
    if account.selfFed == nil { account.selfFed = (0, stack, consumer.stack, element.event) }
    account.selfFed?.count += 1
  }

  /// A task was resumed by what a thread delivers. `stack` is that of the functions that waited.
  private mutating func noteResumption(
    of task: UInt64, from stack: UInt32, by causes: [EventName], on ring: UInt32
  ) {
    guard let last = yielded[ring], causes.contains(last.event),
      let known = accounts[last.stream]?.consumers, known.count < Self.mostConsumers,
      !known.contains(where: { $0.task == task })
    else { return }
    accounts[last.stream]?.consumers.append((task, stack, last.event))
    taking[task] = last.stream
  }

  // MARK: - Guesses

  private var sorted: [(key: UInt32, value: Account)] { accounts.sorted { $0.key < $1.key } }

  /// Streams that were finished while somebody still yielded.
  var finishedEarly: [Finding] {
    sorted.compactMap { stream, account in
      guard account.refused > 0, let first = account.firstRefused, let end = account.end,
        end.stack != 0
      else { return nil }
      return Finding(
        .partial, weight: 62, place: .stack(end.stack),
        "\(stream: stream) was finished here, and \(account.refused, "element", "elements") came after that, and "
          + "went nowhere",
        stream: stream, evidence: [end.event, first])
    }
  }

  private static let fewestLeft: UInt64 = 2

  /// Streams that got elements after the only loops over them had been left, by the source of those; of one
  /// that takes a single element, this is as it should be.
  ///
  /// - Parameter failures: The stacks of the code that threw the errors with which tasks failed, by task.
  func left(_ names: StackNames, _ failures: [UInt64: UInt32]) -> [Finding] {
    var loops = ElementLoops()
    return sorted.compactMap { stream, account in
      guard account.left >= Self.fewestLeft, account.values - account.left >= Self.fewestLeft,
        let first = account.firstLeft, let consumer = account.consumers.last,
        let loop = names.own(of: consumer.stack)
      else { return nil }
      let failed = failures[consumer.task].flatMap { Self.exit(of: loop, names.frames(of: $0)) }
      guard let exit = failed ?? loops.exit(ofLoopAt: loop) else { return nil }
      let how: FindingSentence =
        failed == nil
        ? "left its loop over \(stream: stream) here, as it seems, and ended"
        : "failed with an error that left its loop over \(stream: stream) here"
      return Finding(
        .partial, weight: 58, place: .line(exit),
        "task \(consumer.task.description) " + how
          + "; \(account.left, "element", "elements") came after that, and nobody took them",
        stream: stream, evidence: [first])
    }
  }

  /// Returns the line of a function below the head of its loop, by the frames of code that threw an error.
  private static func exit(of loop: NamedFrame, _ thrown: [NamedFrame]) -> Place? {
    let frame = thrown.last {
      !$0.isMachinery && $0.function == loop.function && $0.file == loop.file && $0.line > loop.line
    }
    return frame.flatMap { frame in frame.file.map { Place(path: $0, line: frame.line) } }
  }

  private static let fewestUnheard = 3

  /// Code that goes on to yield to the streams that it has made, when their consumers have gone: several
  /// streams, each more than once: by the source of the code that makes them.
  func unheard(_ names: StackNames) -> [Finding] {
    var kept = KeptContinuations()
    let left = sorted.filter { $0.value.unheard > 1 }
    let byMaker = Dictionary(grouping: left) { definitions.streams[$0.key]?.stack ?? 0 }
    return byMaker.sorted { $0.key < $1.key }.compactMap { maker, streams in
      guard streams.count >= Self.fewestUnheard, maker != 0,
        let (name, place) = names.own(of: maker).flatMap({ kept.store(below: $0) }),
        let first = streams[0].value.firstUnheard
      else { return nil }
      let count = streams.reduce(0) { $0 + $1.value.unheard }
      return Finding(
        .leak, weight: 63, place: .line(place),
        "\(UInt64(streams.count), "stream", "streams") whose consumers have gone got \(count, "element", "elements") more, for nobody: "
          + "\(name) keeps their continuations, put there here, and nothing takes them out",
        evidence: [first])
    }
  }

  /// Streams with more than one consumer.
  var shared: [Finding] {
    sorted.compactMap { stream, account in
      guard account.consumers.count > 1 else { return nil }
      // The one that was made later joined the other, whichever of them happened to be served first.
      let made = account.consumers.sorted { $0.task < $1.task }
      let (first, second) = (made[0], made[1])
      guard first.stack != second.stack, second.stack != 0 else { return nil }
      return Finding(
        .partial, weight: 60, place: .stack(second.stack),
        "task \(second.task.description) takes elements of \(stream: stream) here, and so does task "
          + "\(first.task.description): each element goes to one of them",
        stream: stream, evidence: [second.event, first.event])
    }
  }

  /// A task that feeds itself so often may do so for ever.
  private static let mostSelfFed: UInt64 = 10

  /// Streams whose consumer yields to them.
  var selfFed: [Finding] {
    sorted.compactMap { stream, account in
      guard let fed = account.selfFed, fed.count >= Self.mostSelfFed else { return nil }
      return Finding(
        .feedback, weight: 57, place: .parting(fed.stack, from: fed.wait),
        "what takes the elements of \(stream: stream) yields to it here, and did so \(fed.count, "time", "times"): "
          + "it feeds itself",
        stream: stream, evidence: [fed.event])
    }
  }

  /// Streams whose buffering policy dropped elements, with the line that says so, where it is found.
  func dropped(_ names: StackNames) -> [Finding] {
    var policies = BufferingPolicies()
    return sorted.compactMap { stream, account in
      guard account.dropped > 0, let first = account.firstDropped,
        let stack = definitions.streams[stream]?.stack, stack != 0
      else { return nil }
      let line = names.own(of: stack).flatMap { policies.policy(of: $0) }
      return Finding(
        .partial, weight: 45, place: line.map { .line($0) } ?? .stack(stack),
        "\(account.dropped, "element", "elements") of \(account.values.description) of \(stream: stream) had no room, and were "
          + "dropped, as its buffering policy says",
        stream: stream, evidence: [first])
    }
  }
}

extension StreamDefinition {
  /// Whether it holds the elements of one other stream until a task takes them (`makeStream(named:)`).
  var holdsElements: Bool {
    parents.count == 1 && traits?.subtracting([.swallows, .throwsFailure]) == [.hot, .holds]
  }

  /// Whether it is an asynchronous stream (`AsyncStream`) that was recorded without a change to its program.
  var isFollowed: Bool { parents.isEmpty && traits?.isSuperset(of: [.hot, .holds]) == true }
}
