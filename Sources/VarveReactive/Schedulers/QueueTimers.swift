internal import Dispatch
internal import VarveProbe

/// The delayed actions of one queue, driven by a single timer.
///
/// A single timer keeps them in order of their dates, which separate Dispatch timers do not
/// guarantee. Resetting a date for each value (`debounce`) then costs an entry in the queue instead
/// of a timer.
final class QueueTimers: Sendable {
  private struct State {
    var delayed = DelayedWorkQueue()
    var timer: (any DispatchSourceTimer)?
    /// The date at which the timer fires.
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

  /// Runs the due actions. Those that become due in the meantime wait for the next call, so that
  /// work that reschedules itself in the past does not starve the other work of the queue.
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
