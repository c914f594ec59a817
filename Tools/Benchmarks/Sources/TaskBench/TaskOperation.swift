import Foundation
import Measurement

/// What is measured.
enum TaskOperation: String, CaseIterable {
  case create = "create"
  case asyncLet = "let"
  case child = "child"
  case yield = "yield"
  case resume = "resume"
  case roundTrip = "roundtrip"
  case early = "early"
  case actor = "actor"
  case rejected = "rejected"

  /// Returns the nanoseconds of one operation.
  func round(_ count: Int) async -> Double {
    switch self {
    case .create:
      return await measured(count) {
        for number in 0..<count { _ = await Task { number }.value }
      }
    case .asyncLet:
      return await measured(count) {
        for _ in 0..<count {
          async let one = Self.number()
          _ = await one
        }
      }
    case .child:
      return await measured(count) {
        await withTaskGroup(of: Int.self) { group in
          for number in 0..<count {
            group.addTask { number }
            _ = await group.next()
          }
        }
      }
    case .yield:
      return await measured(count) { for _ in 0..<count { await Task.yield() } }
    case .resume: return await Resumptions.round(count)
    case .roundTrip: return await Self.roundTrips(count)
    case .early:
      return await measured(count) {
        for _ in 0..<count {
          _ = await withCheckedContinuation { $0.resume(returning: 1) }
        }
      }
    case .actor:
      let counter = Counter()
      return await measured(count) { for _ in 0..<count { await counter.count() } }
    case .rejected: return RejectedCall.round(count)
    }
  }

  private func measured(_ count: Int, _ operation: () async -> Void) async -> Double {
    let began = WorkClock.now
    await operation()
    return Double(WorkClock.now - began) / Double(count)
  }

  /// Two tasks that resume each other in turn: two suspensions, two resumptions.
  private static func roundTrips(_ count: Int) async -> Double {
    let (questions, asking) = AsyncStream<Int>.makeStream()
    let (answers, answering) = AsyncStream<Int>.makeStream()
    let other = Task {
      for await question in questions { answering.yield(question) }
    }
    var iterator = answers.makeAsyncIterator()
    let began = WorkClock.now
    for number in 0..<count {
      asking.yield(number)
      _ = await iterator.next()
    }
    let took = WorkClock.now - began
    asking.finish()
    await other.value
    return Double(took) / Double(count)
  }

  @inline(never)
  private static func number() async -> Int { 1 }
}

private actor Counter {
  private var sum = 0
  func count() { sum += 1 }
}

/// Suspended tasks, resumed one after the other: the resuming thread's cost alone.
private enum Resumptions {
  static func round(_ count: Int) async -> Double {
    let waiting = Waiting()
    return await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { await withUnsafeContinuation { waiting.add($0) } }
      }
      while waiting.count < count { await Task.yield() }
      // A task is suspended only a moment after its continuation was there.
      try? await Task.sleep(for: .milliseconds(5))
      return resume(waiting.all, count)
    }
  }

  private static func resume(
    _ continuations: [UnsafeContinuation<Void, Never>], _ count: Int
  ) -> Double {
    let began = CPUClock.thread.now
    for continuation in continuations { continuation.resume() }
    return Double(CPUClock.thread.now - began) / Double(count)
  }

  private final class Waiting: @unchecked Sendable {
    // Safety: the lock guards the array, the only state.
    private let lock = NSLock()
    private var continuations: [UnsafeContinuation<Void, Never>] = []

    func add(_ continuation: UnsafeContinuation<Void, Never>) {
      lock.withLock { continuations.append(continuation) }
    }
    var count: Int { lock.withLock { continuations.count } }
    var all: [UnsafeContinuation<Void, Never>] { lock.withLock { continuations } }
  }
}

/// The runtime's call about something that is no task, as it makes for each type and global variable.
private enum RejectedCall {
  typealias Function = @convention(c) (UnsafeRawPointer) -> Void

  static func round(_ count: Int) -> Double {
    let variable = dlsym(nil, "_swift_tsan_release")?.assumingMemoryBound(to: Function?.self)
    let object = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
    defer { object.deallocate() }
    object.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
    let began = CPUClock.thread.now
    for _ in 0..<count * 100 {
      if let release = variable?.pointee { release(object) }
    }
    return Double(CPUClock.thread.now - began) / Double(count * 100)
  }
}
