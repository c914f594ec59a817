import Foundation
import Testing
import VarveReactive
import VarveTestRig

/// Schedulers that go away with work on them, and work that is given up while it begins.
@Suite struct SchedulerStressTests {
  @Test("H3: what is disposed of while the queue runs begins or does not, but never twice")
  func disposal() {
    let queue = QueueScheduler(name: "stress")
    for _ in 0..<100 {
      let began = (0..<20).map { _ in Box(0) }
      let works = began.map { count in queue.schedule { count.change { $0 += 1 } } }
      onThreads(2) { index in
        for work in index == 0 ? works : works.reversed() { work?.dispose() }
      }
      queue.queue.sync {}
      #expect(began.allSatisfy { $0.value <= 1 })
    }
  }

  @Test("H1: schedulers are let go with work waiting: it runs, in order, and is then released")
  func tornDown() {
    for _ in 0..<200 {
      let done = Flag()
      let order = Box<[Int]>([])
      do {
        let queue = QueueScheduler(name: "short lived")
        for number in 0..<10 { queue.schedule { order.append(number) } }
        queue.schedule { done.raise() }
      }
      done.wait()
      #expect(order.value == Array(0..<10))
    }
  }

  @Test("H4, P5: timers and delayed values are given up while they are due")
  func timers() {
    for _ in 0..<50 {
      let queue = QueueScheduler(name: "timers")
      let (output, input) = Signal<Int, Never>.pipe()
      let witness = Witness<Int>()
      let ticks = Witness<Int>()
      let runs = [
        output.producer.delay(.microseconds(50), on: queue).observe(on: queue)
          .start { witness.note($0) },
        SignalProducer<Int, Never>.interval(0..., interval: .microseconds(50), on: queue)
          .start { ticks.note($0) },
      ]
      onThreads(2) { index in
        if index == 0 {
          for value in 0..<50 { input.send(value: value) }
        } else {
          relax()
          for run in runs { run.dispose() }
        }
      }
      // Who disposes of a start during a delivery leaves its interruption to the one who delivers:
      // that one gives it to the queue, behind what is there already.
      for _ in 0..<10_000 where !queue.queue.sync(execute: { witness.ends + ticks.ends >= 2 }) {
        usleep(1_000)
      }
      #expect(witness.ends == 1)
      #expect(ticks.ends == 1)
      #expect(witness.complaints + ticks.complaints == [])
    }
  }

  @Test("H5: a test scheduler takes work from several threads while time passes")
  func virtualTime() {
    let scheduler = TestScheduler()
    let ran = Box(0)
    onThreads(3) { index in
      for number in 0..<300 {
        if index == 0 {
          scheduler.advance(by: .milliseconds(1))
        } else {
          scheduler.schedule(after: .milliseconds(number % 7)) { ran.change { $0 += 1 } }
        }
      }
    }
    scheduler.advance(by: .seconds(1))
    #expect(ran.value == 600)
  }
}
