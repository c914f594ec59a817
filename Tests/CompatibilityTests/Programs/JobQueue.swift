import Foundation
import ReactiveSwiftCompatibility
import Testing

// A queue of jobs: at most so many run, each tells its progress, and can be cancelled.

private final class JobQueue {
  struct Job {
    let id: Int
    let work: SignalProducer<Double, TestError>
  }

  enum Status: Equatable {
    case waiting
    case running(Double)
    case done
    case failed(TestError)
    case cancelled
  }

  private let (jobs, input) = Signal<Job, Never>.pipe()
  private let cancelled = Signal<Int, Never>.pipe()
  private let scoped = ScopedDisposable(CompositeDisposable())
  private let mutableStatuses = MutableProperty<[Int: Status]>([:])
  let statuses: Property<[Int: Status]>
  let running: Property<Int>
  private(set) lazy var submit = Action<Job, Int, Never>(allowsConcurrentExecution: true) {
    [unowned self] job in
    SignalProducer { observer, _ in
      self.set(.waiting, for: job.id)
      self.input.send(value: job)
      observer.send(value: job.id)
      observer.sendCompleted()
    }
  }

  init(limit: UInt) {
    statuses = Property(mutableStatuses)
    running =
      mutableStatuses
      .map { statuses in
        statuses.values.filter { if case .running = $0 { return true } else { return false } }.count
      }
      .skipRepeats()
    let cancellations = cancelled.output
    scoped +=
      jobs
      .flatMap(.concurrent(limit: limit)) { job -> SignalProducer<(Int, Status), Never> in
        job.work
          .map { Status.running($0) }
          .concat(value: .done)
          .prefix(value: .running(0))
          .flatMapError { SignalProducer(value: .failed($0)) }
          .take(until: cancellations.filter { $0 == job.id }.map { _ in () })
          .map { (job.id, $0) }
      }
      .observeValues { [mutableStatuses] id, status in
        mutableStatuses.modify { $0[id] = status }
      }
    scoped += cancellations.observeValues { [mutableStatuses] id in
      mutableStatuses.modify { $0[id] = .cancelled }
    }
  }

  func cancel(_ id: Int) { cancelled.input.send(value: id) }

  private func set(_ status: Status, for id: Int) { mutableStatuses.modify { $0[id] = status } }
}

@Suite struct JobQueues {
  private func job(
    _ id: Int, steps: Int, on scheduler: TestScheduler, fails: Bool = false
  ) -> JobQueue.Job {
    let progress = SignalProducer<Int, Never>.interval(.seconds(1), on: scheduler)
      .take(first: steps)
      .map { Double($0 + 1) / Double(steps) }
      .promoteError(TestError.self)
    return JobQueue.Job(id: id, work: fails ? progress.then(.init(error: .first)) : progress)
  }

  @Test("H12: at most two jobs run, the others wait in order")
  func limit() {
    let scheduler = TestScheduler()
    let queue = JobQueue(limit: 2)
    var most = 0
    queue.running.producer.startWithValues { most = max(most, $0) }
    var submitted: [Int] = []
    queue.submit.values.observeValues { submitted.append($0) }
    for id in 1...4 { queue.submit.apply(job(id, steps: 2, on: scheduler)).start() }
    #expect(submitted == [1, 2, 3, 4])
    #expect(queue.statuses.value == [1: .running(0), 2: .running(0), 3: .waiting, 4: .waiting])
    scheduler.advance(by: .seconds(1))
    #expect(queue.statuses.value[1] == .running(0.5))
    scheduler.advance(by: .seconds(1))
    #expect(queue.statuses.value == [1: .done, 2: .done, 3: .running(0), 4: .running(0)])
    scheduler.advance(by: .seconds(5))
    #expect(queue.statuses.value.values.allSatisfy { $0 == .done })
    #expect(most == 2)
    #expect(queue.running.value == 0)
  }

  @Test("H12: a cancelled or failed job makes room for the next")
  func ends() {
    let scheduler = TestScheduler()
    let queue = JobQueue(limit: 1)
    for id in 1...3 {
      queue.submit.apply(job(id, steps: 10, on: scheduler, fails: id == 2)).start()
    }
    scheduler.advance(by: .seconds(1))
    queue.cancel(1)
    #expect(queue.statuses.value == [1: .cancelled, 2: .running(0), 3: .waiting])
    scheduler.advance(by: .seconds(10))
    #expect(queue.statuses.value[2] == .failed(.first))
    #expect(queue.statuses.value[3] == .running(0))
  }
}
