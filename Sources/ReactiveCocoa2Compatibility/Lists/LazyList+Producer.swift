public import VarveReactive

extension LazyList {
  /// A producer that, at each start, reads the list on the starting thread, sends its elements and
  /// completes.
  ///
  /// Elements that are already known are not computed again. The list is read no further than there
  /// are observers.
  public var producer: SignalProducer<Element, Never> {
    SignalProducer(
      StreamTitle(Operation("producer"), of: [title], valueType: Element.self)
    ) { input, lifetime in
      var rest = self.makeIterator()
      // Checked before the next element is computed.
      while !lifetime.hasEnded, let element = rest.next() { input.send(value: element) }
      input.sendCompleted()
    }
  }
}

extension LazyList where Element: Sendable {
  /// Returns a producer that, at each start, reads the list on `scheduler`, sends its elements and
  /// completes.
  ///
  ///     lines.producer(on: QueueScheduler(name: "reading")).observe(on: UIScheduler())
  ///
  /// - *Events*: sends each element as soon as it is computed. Disposing stops the reading after
  ///   the element that is being computed.
  /// - *Memory*: the list.
  /// - *Scheduling*: `scheduler`, with a turn for each element, so that other work can run in
  ///   between.
  public func producer(on scheduler: any Scheduler) -> SignalProducer<Element, Never> {
    let kept = SchedulerReference(scheduler)
    return SignalProducer(
      StreamTitle(
        Operation("producer(on: $)", [.scheduler(scheduler)]), of: [title],
        valueType: Element.self)
    ) { input, lifetime in
      let reading = ListReading(self, into: input)
      lifetime += kept.existing?.scheduleRecursively { again in
        if reading.sendNext(lifetime) { again() }
      }
    }
  }
}

/// The state of reading a list.
private final class ListReading<Element>: @unchecked Sendable {
  // Safety: `rest` is changed in turns that do not overlap.
  private var rest: ListIterator<Element>
  private let input: Signal<Element, Never>.Observer

  init(_ list: LazyList<Element>, into input: Signal<Element, Never>.Observer) {
    rest = list.makeIterator()
    self.input = input
  }

  /// Sends one element or completion. Returns false if it was the last.
  func sendNext(_ lifetime: Lifetime) -> Bool {
    guard !lifetime.hasEnded else { return false }
    guard let element = rest.next() else {
      input.sendCompleted()
      return false
    }
    input.send(value: element)
    return !lifetime.hasEnded
  }
}
