internal import CVarveSystem
internal import VarvePlatform

/// A point in calendar time.
public struct LogTime: Sendable, Hashable, CustomStringConvertible {
  /// Whole seconds since the beginning of 1970, in UTC.
  public let seconds: Int
  /// The remaining nanoseconds.
  public let nanoseconds: Int

  /// The current time.
  static var now: LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  /// The local time of day with microseconds: `14:31:07.250113`.
  public var description: String {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    let numbers = [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)]
    return numbers.map { Self.padded($0, to: 2) }.joined(separator: ":")
      + "." + Self.padded(nanoseconds / 1000, to: 6)
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// A thread as a log shows it.
public struct LogThread: Sendable, Hashable, CustomStringConvertible {
  /// The system's identifier of the thread.
  public let id: UInt64
  /// The name of the thread, if it has one.
  public let name: String?
  /// Whether it is the main thread of the process.
  public let isMain: Bool

  /// The calling thread.
  static var current: LogThread {
    var name = [CChar](repeating: 0, count: 64)
    vv_thread_name(&name, name.count)
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return LogThread(
      id: vv_thread_system_id(), name: bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self),
      isMain: vv_thread_is_main())
  }

  /// `main thread`, or `thread 4711 "search"`.
  public var description: String {
    if isMain { return "main thread" }
    return name.map { "thread \(id) \"\($0)\"" } ?? "thread \(id)"
  }
}
