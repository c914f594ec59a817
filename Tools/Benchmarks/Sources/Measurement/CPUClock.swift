#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// CPU time, which neighbours on a busy machine disturb little; wall time varies threefold there.
public enum CPUClock: Sendable {
  /// Counts what the calling thread uses.
  case thread
  /// Counts what all threads of the process use.
  case process

  /// Nanoseconds of CPU that have been used.
  public var now: UInt64 {
    var now = timespec()
    clock_gettime(self == .thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
