#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// CPU time, which neighbours on a busy machine disturb little; wall time varies threefold there.
public enum CPUClock {
  /// Nanoseconds of CPU that the calling thread has used.
  public static var thread: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds of CPU that all threads of the process have used.
  public static var process: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
