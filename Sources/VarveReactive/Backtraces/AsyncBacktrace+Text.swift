internal import VarvePlatform

extension AsyncBacktrace: CustomStringConvertible {
  /// Function names, files and lines, one frame per line, with the frames of the machinery folded.
  public var description: String {
    var lines: [String] = []
    for segment in segments {
      if let scheduler = segment.scheduler {
        let times = segment.repeats == 0 ? "" : " (and \(segment.repeats) times before)"
        lines.append("scheduled on \(scheduler)\(times) by")
      }
      let indent = segment.scheduler == nil ? "" : "  "
      lines += segment.lines.map { indent + $0 }
    }
    if isCut { lines.append("older hops were cut") }
    if !streams.isEmpty { lines.append("delivering " + streams.joined(separator: " → ")) }
    return lines.joined(separator: "\n")
  }
}

extension AsyncBacktrace.Segment {
  /// The frames as text. One line stands for the machinery through which work comes and goes.
  fileprivate var lines: [String] {
    var lines: [String] = []
    var folded = 0
    func unfold() {
      guard folded > 0 else { return }
      lines.append(
        folded == 1 ? "(a frame of the machinery)" : "(\(folded) frames of the machinery)")
      folded = 0
    }
    for frame in frames {
      if frame.isMachinery {
        folded += 1
      } else {
        unfold()
        lines.append(frame.description)
      }
    }
    unfold()
    return lines
  }
}

extension AsyncBacktrace.Frame: CustomStringConvertible {
  /// `Keyboard.press(_:) at /src/Keyboard.swift:17`.
  public var description: String {
    let name = function ?? "0x" + String(address, radix: 16)
    guard let file else { return name }
    return "\(name) at \(file)\(line == 0 ? "" : ":\(line)")"
  }
}

/// Prints the calling thread's asynchronous backtrace to standard error, for debuggers:
/// `call (void)varve_print_backtrace()` shows how a stopped thread came to where it is.
@_cdecl("varve_print_backtrace")
public func printAsyncBacktrace() {
  var text = AsyncBacktrace.current.description + "\n"
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
