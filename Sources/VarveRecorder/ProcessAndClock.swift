internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform

/// What a trace says of its process and its clock.
extension ProcessDescription {
  /// The process that runs, as far as the options let it be told.
  static func current(_ options: Recorder.Options) -> ProcessDescription {
    ProcessDescription(
      program: text(4096) { vv_process_path($0, UInt64($1)) },
      arguments: options.recordsArguments ? CommandLine.arguments : [], pid: UInt32(getpid()),
      host: options.recordsHost ? text(256) { _ = gethostname($0, $1 - 1) } : "",
      started: vv_clock_wall())
  }

  /// What a C function has written into a buffer of that size.
  private static func text(_ size: Int, _ fill: (UnsafeMutablePointer<CChar>, Int) -> Void)
    -> String
  {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      buffer.initialize(repeating: 0)
      fill(buffer.baseAddress!, size)
      return String(cString: buffer.baseAddress!)
    }
  }
}

extension ClockAnchor {
  /// What the clocks show now.
  static func now(_ options: Recorder.Options) -> ClockAnchor {
    var ticks: UInt64 = 0
    var monotonic: UInt64 = 0
    if options.isClockByHand {
      ticks = vv_clock_ticks()
      monotonic = ticks
    } else {
      vv_clock_pair(&ticks, &monotonic)
    }
    return ClockAnchor(ticks: ticks, monotonic: monotonic)
  }
}

extension TraceClock {
  /// The clock that ticks are read from, its rate estimated from the time since `earlier`.
  static func current(_ options: Recorder.Options, since earlier: ClockAnchor) -> TraceClock {
    if options.isClockByHand { return .byHand }
    guard vv_clock_is_steady() else { return .monotonic }
    let now = ClockAnchor.now(options)
    guard now.monotonic > earlier.monotonic, now.ticks > earlier.ticks else {
      return .counter(perSecond: 0)
    }
    let ticks = Double(now.ticks - earlier.ticks)
    let seconds = Double(now.monotonic - earlier.monotonic) / 1e9
    return .counter(perSecond: UInt64((ticks / seconds).rounded()))
  }
}
