import Dispatch
import Foundation

/// What Swift promises of tasks.
extension Promises {
  static var ofTasks: [(String, () -> Bool)] {
    [
      ("tasks", tasks), ("cancelled task", cancelledTask), ("actor", serialActor),
      ("task-local", taskLocals), ("priority", priority),
    ]
  }

  fileprivate static func tasks() -> Bool {
    let (log, done) = (Log(), DispatchSemaphore(value: 0))
    Task.detached {
      let sum = await withTaskGroup(of: Int.self) { group in
        for index in 0..<50 {
          group.addTask {
            await Task.yield()
            return index
          }
        }
        return await group.reduce(0, +)
      }
      try? await Task.sleep(nanoseconds: 1_000_000)
      log.note(sum)
      done.signal()
    }
    done.wait()
    return log.all == [1_225]
  }

  /// Does `body` in a task and waits for what it answers.
  private static func answer(_ body: @escaping @Sendable () async -> Bool) -> Bool {
    let (log, done) = (Log(), DispatchSemaphore(value: 0))
    Task.detached {
      log.note(await body() ? 1 : 0)
      done.signal()
    }
    done.wait()
    return log.all == [1]
  }

  fileprivate static func cancelledTask() -> Bool {
    answer {
      let sleeper = Task {
        do {
          try await Task.sleep(nanoseconds: 600_000_000_000)
          return false
        } catch {
          return Task.isCancelled
        }
      }
      await Task.yield()
      sleeper.cancel()
      return await sleeper.value
    }
  }

  private actor Tally {
    private var count = 0
    func increase() -> Int {
      count += 1
      return count
    }
  }

  fileprivate static func serialActor() -> Bool {
    answer {
      let tally = Tally()
      let counts = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<200 { group.addTask { await tally.increase() } }
        return await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      return counts == Set(1...200)
    }
  }

  @TaskLocal private static var name = "none"

  fileprivate static func taskLocals() -> Bool {
    answer {
      await $name.withValue("some") {
        async let child = name
        let own = await Task { name }.value
        let detached = await Task.detached { name }.value
        return await child == "some" && own == "some" && detached == "none"
      }
    }
  }

  fileprivate static func priority() -> Bool {
    answer {
      await Task.detached(priority: .utility) { Task.basePriority == .utility }.value
    }
  }
}
