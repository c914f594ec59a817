internal import Dispatch
internal import VarveProbe

/// The actions that one queue will run at a later date, behind a single timer.
///
/// One timer for all keeps them in order of their dates, which separate timers of Dispatch do not
/// promise, and setting a date anew for each value (`debounce`) costs a place in that queue instead
/// of a timer.
final class QueueTimers: Sendable {
  private struct State {
    var delayed = DelayedWorkQueue()
    var timer: (any DispatchSourceTimer)?
    /// When the timer fires.
    var armed = SchedulerInstant.distantFuture
  }

  private let queue: DispatchQueue
  private let state = Lock(State())

  init(queue: DispatchQueue) {
    self.queue = queue
  }

  deinit {
    state.withLock { state in
      state.timer?.cancel()
      state.delayed.clear()
    }
  }

  func insert(_ work: ScheduledWork, at date: SchedulerInstant) {
    state.withLock { state in
      state.delayed.insert(.once(work), at: date)
      guard date < state.armed else { return }
      let timer = state.timer ?? makeTimer()
      state.timer = timer
      state.armed = date
      timer.schedule(deadline: DispatchTime(date))
    }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    timer.setEventHandler { [weak self] in self?.fire() }
    timer.activate()
    return timer
  }

  /// Runs what is due. What becomes due meanwhile waits for the next time, so that work that sets
  /// itself a date in the past does not keep the queue's other work waiting for ever.
  private func fire() {
    for work in takeDue(by: .uptime) { work.run() }
    state.withLock { state in
      state.armed = state.delayed.nextDate() ?? .distantFuture
      state.timer?.schedule(deadline: DispatchTime(state.armed))
    }
  }

  private func takeDue(by now: SchedulerInstant) -> [DelayedWorkQueue.Work] {
    state.withLock { state in
      var due: [DelayedWorkQueue.Work] = []
      while let entry = state.delayed.takeNext(dueBy: now) { due.append(entry.work) }
      return due
    }
  }
}
