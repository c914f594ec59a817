internal import CVarveSystem
internal import VarveProbe

/// The judgment of how a recording ended, based on the sidecar's header.
enum SidecarEnding {
  static func judge(_ header: vv_sidecar, of file: SidecarFile) -> TraceEnding {
    let crash = header.crash
    let isMarked = crash.isComplete
    if let status = header.waitStatus {
      guard let signal = status.signal else { return .clean }
      let isSame = isMarked && crash.signal == signal
      return .crashed(
        signal: signal, ring: isSame ? crash.ring : nil,
        programCounter: isSame ? crash.counter : nil)
    }
    // A marked process that is alive is still in its handlers, or will note that it survived.
    if isMarked, !file.isKnownToRun(header) {
      return .crashed(signal: crash.signal, ring: crash.ring, programCounter: crash.counter)
    }
    if header.is_stopped == 1 { return .clean }
    return file.isRunning(header) ? .running : .killed
  }
}

/// The status of an ended process, as `waitpid` returns it.
struct WaitStatus {
  let raw: Int32

  /// The signal that ended it; nil if it exited.
  var signal: Int32? { raw & 0x7f == 0 ? nil : raw & 0x7f }
}

extension vv_sidecar {
  fileprivate var waitStatus: WaitStatus? {
    wait_state == 1 ? WaitStatus(raw: Int32(bitPattern: wait_status)) : nil
  }
}

extension vv_crash {
  /// The lower byte is the progress of a mark; the others count marks.
  fileprivate var progress: UInt32 { UInt32(state & 0xff) }
  fileprivate var isComplete: Bool { progress == vv_crash_struck.rawValue }
  fileprivate var ring: UInt32? { ring_id == 0 ? nil : ring_id }
  fileprivate var counter: UInt64? { program_counter == 0 ? nil : program_counter }
}

extension vv_sidecar {
  /// The signal that the program survived; nil if there is none.
  var survivedSignal: Int32? {
    crash.progress == vv_crash_survived.rawValue ? crash.signal : nil
  }

  /// The tick at which the recorder looked after the recording, or a signal struck, whichever was
  /// later; 0 if neither is known.
  var lastSeen: UInt64 { max(seen_ticks, crash.isComplete ? crash.ticks : 0) }

  /// The stack at which a signal struck, the location itself first; nil if there is none.
  var struckStack: StackDefinition? {
    guard crash.isComplete, let counter = crash.counter else { return nil }
    let place = StackFrame(address: counter, isResumption: true)
    let callers = withUnsafeBytes(of: stack.frames) { bytes in
      bytes.bindMemory(to: UInt64.self).prefix(Int(stack.count)).map { StackFrame(address: $0) }
    }
    return StackDefinition(id: StackDefinition.struckID, frames: [place] + callers)
  }
}

extension StackDefinition {
  /// The definition, encoded as in a log of definitions.
  var logged: [UInt8] {
    var log: [UInt8] = []
    DefinitionCodec.append(.stack(self), to: &log)
    return log
  }
}
