extension Junction {
  fileprivate static func start(
    _ feed: Feed<Output, OutputFailure>, on scheduler: any Scheduler
  ) -> Junction {
    let operation = Operation("start(on: $)", [.scheduler(scheduler)], traits: .startsElsewhere)
    let kept = SchedulerReference(scheduler)
    return Junction(operation, inputs: [feed]) { root, disposables in
      guard let scheduler = kept.existing else { return root.abandon() }
      disposables.add(start(feed, into: root, stoppedBy: disposables, on: scheduler))
    }
  }

  fileprivate static func startOnCurrentScheduler(
    _ feed: Feed<Output, OutputFailure>
  ) -> Junction {
    let operation = Operation("startOnCurrentScheduler()", traits: .startsElsewhere)
    return Junction(operation, inputs: [feed]) { root, disposables in
      guard Schedulers.current == nil else {
        return feed.connect(PassInlet(root), stoppedBy: disposables)
      }
      let background = QueueScheduler(name: "varve.start")
      disposables.add(start(feed, into: root, stoppedBy: disposables, on: background))
    }
  }

  private static func start(
    _ feed: Feed<Output, OutputFailure>, into root: Root<Output, OutputFailure>,
    stoppedBy disposables: CompositeDisposable, on scheduler: any Scheduler
  ) -> (any Disposable)? {
    scheduler.hop { feed.connect(PassInlet(root), stoppedBy: disposables) }
  }
}

extension SignalProducer {
  /// Starts the work on `scheduler`.
  ///
  ///     SignalProducer { index(files) }
  ///       .start(on: QueueScheduler(name: "index"))
  ///       .observe(on: UIScheduler())
  ///
  /// - *Events*: all events are forwarded unchanged. Disposing before the work has started prevents
  ///   it.
  /// - *Memory*: none.
  /// - *Scheduling*: only the start moves; events are delivered on the threads on which the work
  ///   sends them.
  public func start(on scheduler: any Scheduler) -> SignalProducer {
    SignalProducer(.start(feed, on: scheduler))
  }

  /// Starts the work at once if the calling code runs on a scheduler (`Schedulers.current`, which
  /// the main thread always has), and otherwise as soon as possible on a background scheduler.
  ///
  ///     SignalProducer { index(files) }
  ///       .startOnCurrentScheduler()
  ///
  /// - *Events*: all events are forwarded unchanged. Disposing before the work has started prevents
  ///   it.
  /// - *Memory*: none.
  /// - *Scheduling*: each start that has to move gets its own queue.
  public func startOnCurrentScheduler() -> SignalProducer {
    SignalProducer(.startOnCurrentScheduler(feed))
  }
}
