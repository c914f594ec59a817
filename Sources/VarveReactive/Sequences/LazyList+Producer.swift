extension LazyList {
  /// A producer that, at each start, reads the list on the starting thread, sends its elements and
  /// completes.
  ///
  /// Elements that are already known are not computed again. The list is read no further than there
  /// are observers.
  public var producer: SignalProducer<Element, Never> {
    SignalProducer(
      ListRecipe(self, Operation("producer", older: "-signal")) { list, root, run, _ in
        root.deliverAll { push in
          // Checked before the next element is computed.
          for element in list where !push(element) || run.isDisposed { break }
        }
      })
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
    let operation = Operation(
      "producer(on: $)", older: "-signalWithScheduler: $", [.scheduler(scheduler)])
    let kept = SchedulerReference(scheduler)
    return SignalProducer(
      ListRecipe(self, operation) { list, root, _, disposables in
        guard let scheduler = kept.existing else { return root.abandon() }
        let reading = ListReading(list, into: root)
        disposables += scheduler.scheduleRecursively { again in
          if reading.sendNext() { again() }
        }
      })
  }
}

/// Reads a list at each start.
private final class ListRecipe<Element>: Recipe<Element, Never>, @unchecked Sendable {
  // Safety: immutable; lists are thread-safe.
  typealias Reading = (
    LazyList<Element>, Root<Element, Never>, Run, CompositeDisposable
  ) -> Void

  private let list: LazyList<Element>
  private let read: Reading

  init(_ list: LazyList<Element>, _ operation: Operation, _ read: @escaping Reading) {
    self.list = list
    self.read = read
    super.init(operation, parents: [.title(list.title)], valueType: Element.self)
  }

  override func start(into sink: Observer<Element, Never>, run: Run) {
    let root = Root<Element, Never>(.recipe(self), run: Subscription.newNumber())
    let disposables = CompositeDisposable()
    root.prepare(into: sink, resources: disposables)
    run.adopt(root)
    guard !root.isOver else { return }
    read(list, root, run, disposables)
  }
}

/// The state of reading a list into a root.
private final class ListReading<Element>: @unchecked Sendable {
  // Safety: `rest` is changed in turns that do not overlap.
  private var rest: ListIterator<Element>
  private let root: Root<Element, Never>

  init(_ list: LazyList<Element>, into root: Root<Element, Never>) {
    rest = list.makeIterator()
    self.root = root
  }

  /// Sends one element or completion. Returns false if it was the last.
  func sendNext() -> Bool {
    guard !root.isOver else { return false }
    guard let element = rest.next() else {
      root.send(.completed)
      return false
    }
    root.send(element)
    return !root.isOver
  }
}
