// A program whose tasks wait, each for something else, until it is killed. It records nothing: what
// is known of it comes from outside.

import Dispatch
import Foundation
import Synchronization

/// Continuations that nobody resumes.
let kept = Mutex<[CheckedContinuation<Int, Never>]>([])

func forgotten() async -> Int {
  await withCheckedContinuation { each in kept.withLock { $0.append(each) } }  // the forgotten one
}

func between() async -> Int { await forgotten() + 1 }

func patient() async throws {
  try await Task.sleep(for: .seconds(600))  // the sleep
}

/// Blocks the threads of all tasks, which is why what would end that cannot run.
func blocking() {
  let semaphore = DispatchSemaphore(value: 0)
  Task(name: "signaller") { semaphore.signal() }
  semaphore.wait()  // the semaphore
}

if CommandLine.arguments.contains("blocked") {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<200 { group.addTask { blocking() } }
  }
}

/// Holds the main actor after each suspension, while other tasks want it.
@MainActor
func working() async {
  for _ in 0..<6 {
    try? await Task.sleep(for: .milliseconds(5))
    calculate()  // the work
  }
}

func calculate() {
  let clock = ContinuousClock()
  let end = clock.now + .milliseconds(150)
  while clock.now < end {}  // the loop
}

if CommandLine.arguments.contains("busy") {
  let others = (1...4).map { number in
    Task(name: "other \(number)") { @MainActor in
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
    }
  }
  await working()
  for other in others { other.cancel() }
  exit(0)
}

/// A group whose first failing child ends the others, in a loop over their results.
func gather() async throws -> Int {
  try await withThrowingTaskGroup(of: Int.self) { group in
    for number in 1...4 {
      group.addTask {
        try await Task.sleep(for: .milliseconds(number == 1 ? 20 : 2_000))
        if number == 1 { throw Unlucky() }
        return number
      }
    }
    var sum = 0
    for try await number in group { sum += number }  // the loop over results
    return sum
  }
}

if CommandLine.arguments.contains("gathering") {
  _ = try? await gather()
  exit(0)
}

struct Unlucky: Error {}

/// Tasks that fail: one of which nobody asks, one that is asked later, and two that were to end.
if CommandLine.arguments.contains("failing") {
  Task { throw Unlucky() }  // the lost error
  let asked = Task { throw Unlucky() }
  let cancelled = Task { try await patient() }
  let surprised = Task {
    do { try await patient() } catch { throw Unlucky() }
  }
  try await Task.sleep(for: .milliseconds(20))
  cancelled.cancel()
  surprised.cancel()
  try await Task.sleep(for: .milliseconds(20))
  if case .success = await asked.result { exit(1) }
  exit(0)
}

/// A continuation that is resumed two queues further on.
if CommandLine.arguments.contains("queued") {
  let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
  let answer = await withCheckedContinuation { each in
    first.async { second.async { each.resume(returning: 7) } }
  }
  exit(answer == 7 ? 0 : 1)
}

/// Streams without names: one whose buffer is too small, one that is finished too early, one that fails,
/// and one for two.
if CommandLine.arguments.contains("elements") {
  let (few, small) = AsyncStream.makeStream(
    of: String.self,
    bufferingPolicy: .bufferingNewest(2))  // the small buffer
  for number in 1...5 { small.yield("few \(number)") }
  small.finish()
  for await text in few { print(text) }
  let early = AsyncStream<Int> { continuation in
    continuation.yield(1)
    continuation.finish()  // the early end
    continuation.yield(2)
  }
  for await number in early { print(number) }
  let failing = AsyncThrowingStream<Bool, any Error> { $0.finish(throwing: Unlucky()) }
  do { for try await _ in failing {} } catch { print("unlucky") }
  let (ticks, clock) = AsyncStream<Void>.makeStream()
  let first = Task { for await _ in ticks { await Task.yield() } }
  let second = Task {
    for await _ in ticks { await Task.yield() }  // the second consumer
  }
  for _ in 1...6 {
    try await Task.sleep(for: .milliseconds(10))
    clock.yield()
  }
  clock.finish()
  await first.value
  await second.value
  exit(0)
}

/// Streams of two types by turns, each of which lies where the one before it lay, and is fed while it is
/// made.
if CommandLine.arguments.contains("reusing") {
  func number(_ value: Int) {
    _ = AsyncStream<Int> { continuation in
      continuation.yield(value)
      if value % 2 == 0 { continuation.finish() }
    }
  }
  func text(_ value: Int) {
    _ = AsyncThrowingStream<String, any Error> { continuation in
      continuation.yield("a text that has no room in a word, \(value)")
      if value % 3 == 0 { continuation.finish() }
    }
  }
  await Task {
    for value in 0..<300 {
      number(value)
      text(value)
    }
  }.value
  exit(0)
}

/// Tasks of one place, each of which waits for something that never comes.
if CommandLine.arguments.contains("keeping") {
  for _ in 1...5 {
    Task {
      _ = await between()  // the keeper
    }
    try await Task.sleep(for: .milliseconds(5))
  }
  exit(0)
}

enum Refusal: Error { case tooSmall, tooLarge }

func checked(_ number: Int) throws(Refusal) -> Int {
  guard number < 3 else { throw .tooLarge }  // the typed throw
  return number
}

func fetched(_ number: Int) async throws -> Int {
  await Task.yield()
  if number == 1 { throw Unlucky() }  // the throw
  return number
}

/// Errors that code catches itself, in a task and outside.
if CommandLine.arguments.contains("throwing") {
  let sum = await Task(name: "adding") {
    var sum = 0
    for number in 0..<3 {
      guard let number = try? await fetched(number) else { continue }  // the try
      sum += number
    }
    return sum
  }.value
  Thread {
    do {
      print(try checked(sum + 1))
    } catch {  // the catch
      return
    }
  }.start()
  try await Task.sleep(for: .milliseconds(50))
  exit(0)
}

/// Waits in a lock that another task holds while it sleeps.
final class Shared: Sendable {
  private let lock = NSLock()

  func hold() {
    lock.lock()
    Thread.sleep(forTimeInterval: 0.3)  // the nap
    lock.unlock()
  }

  func want() {
    lock.lock()  // the lock
    lock.unlock()
  }
}

/// Tasks each of which runs for long: one computes, one sleeps, one waits for a lock.
if CommandLine.arguments.contains("long") {
  let shared = Shared()
  let holder = Task.detached(name: "holder") { shared.hold() }
  try await Task.sleep(for: .milliseconds(20))
  let wanting = Task.detached(name: "wanting") { shared.want() }
  await holder.value
  await wanting.value
  await Task.detached(name: "computing") { for _ in 0..<3 { calculate() } }.value
  exit(0)
}

let stuck = Task(name: "stuck", priority: .high) { await between() }
let waiter = Task(name: "waiter") { await stuck.value }
let cancelled = Task(name: "cancelled") {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<20 { group.addTask { _ = await forgotten() } }
    await group.waitForAll()
  }
}
cancelled.cancel()
let sleeper = Task(name: "sleeper") { try await patient() }

// Tasks that end leave nothing behind.
for number in 0..<1_000 { await Task(name: "short \(number)") { await Task.yield() }.value }
_ = await waiter.value
