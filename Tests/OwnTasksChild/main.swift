// A program that records its own tasks, from inside: `OwnTasksChild TRACE MODE`.

import Synchronization
import Varve
import VarveTracing

/// Continuations that nobody resumes, or that are resumed at the end.
let kept = Mutex<[String: CheckedContinuation<Int, Never>]>([:])

func wait(as name: String) async -> Int {
  await withCheckedContinuation { each in kept.withLock { $0[name] = each } }  // what waits
}

func untilWaiting(_ name: String) async {
  while kept.withLock({ $0[name] == nil }) { await Task.yield() }
}

func start(_ path: String) {
  var options = Recorder.Options.debugging
  options.recordsTasks = true
  do {
    try Recorder.start(to: path, options: options)
  } catch {
    fatalError("\(error)")
  }
}

let path = CommandLine.arguments[1]
switch CommandLine.arguments[2] {
case "graph":
  // One is made before the recording, and one waits before it.
  let earlier = Task(name: "earlier") { await wait(as: "earlier") }
  await untilWaiting("earlier")
  start(path)
  let outer = Task(name: "outer") {
    async let bound = wait(as: "bound")
    return await withTaskGroup(of: Int.self) { group in
      for number in 1...3 { group.addTask(name: "child \(number)") { number } }
      var sum = 0
      for await each in group { sum += each }
      return sum
    } + bound
  }
  let waiter = Task(name: "waiter") { await outer.value }
  let resumer = Task(name: "resumer") {
    await untilWaiting("bound")
    kept.withLock { $0["bound"] }!.resume(returning: 4)
    kept.withLock { $0["earlier"] }!.resume(returning: 5)
  }
  await resumer.value
  let sum = await waiter.value + earlier.value
  let stuck = Task(name: "stuck") { await wait(as: "stuck") }
  await untilWaiting("stuck")
  stuck.cancel()
  print(sum)
  Recorder.stop()
case "twice":
  start(path)
  _ = await Task(name: "first") { 1 }.value
  Recorder.stop()
  // Made, and waiting, while nothing is recorded.
  let between = Task(name: "between") { await wait(as: "between") }
  await untilWaiting("between")
  start(path)
  let waker = Task(name: "waker") { kept.withLock { $0["between"] }!.resume(returning: 1) }
  await waker.value
  _ = await between.value
  Recorder.stop()
case "many":
  start(path)
  var sum = 0
  for round in 0..<50 {
    sum += await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask {
          await Task.yield()
          return number + round
        }
      }
      var sum = 0
      for await each in group { sum += each }
      return sum
    }
  }
  print(sum)
  Recorder.stop()
case "span":
  start(path)
  let (_, input) = AsyncStream.makeStream(of: Int.self)
  let worker = Task(name: "worker") {
    input.yield(1)
    await Trace.span("asynchronous") { await Task.yield() }
    input.yield(2)
    Trace.span("at once") {}
    input.yield(3)
  }
  await worker.value
  Recorder.stop()
default: fatalError("what shall be done?")
}
