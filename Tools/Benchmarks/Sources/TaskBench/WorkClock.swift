import Foundation
import Measurement

/// The CPU time of the program itself: of all threads but the one that writes the trace.
enum WorkClock {
  static var now: UInt64 {
    guard let writer = writerClock else { return CPUClock.process.now }
    // The writer may run between two readings.
    while true {
      let before = time(writer)
      let all = CPUClock.process.now
      if time(writer) == before { return all - before }
    }
  }

  private static func time(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  /// Linux forms a thread's clock from its number: CLOCK_SCHED, and 4 for one thread.
  private static let writerClock: clockid_t? = {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    for thread in threads {
      let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
      guard let name, name.hasPrefix("varve.drain"), let number = Int32(thread) else { continue }
      return ~number << 3 | 6
    }
    return nil
  }()
}
