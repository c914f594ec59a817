internal import CVarveSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
#if canImport(Runtime)
  internal import Runtime
#endif

/// What is said when a value is sent from inside its own signal's delivery (contract E7), or when
/// threads wait for each other in a circle (E14).
///
/// The predecessors hang, abort or lose mutual exclusion here. A debugging library has to say what
/// happened: which signal, through which streams, where the delivery began, where it came back.
enum RecursionReport {
  /// Prints the report and stops the program.
  ///
  /// - Parameters:
  ///   - outer: an address in the frame of the send whose delivery is in progress.
  ///   - circle: the domains of a circular wait; empty for recursion on one thread.
  static func stop(domain: Domain, outer: UInt, circle: [Domain]) -> Never {
    let name = domain.rootStream?.name ?? "a stream that has ended"
    var lines: [String] = []
    if circle.isEmpty {
      lines.append("a value was sent on '\(name)' from inside its own delivery")
    } else {
      lines.append("threads wait for each other in a circle, each inside a delivery that sends on:")
      lines += circle.map { "  '\($0.rootStream?.name ?? "a stream that has ended")'" }
    }
    let between = Domain.delivering.map { $0.rootStream?.name ?? "…" }
    if !between.isEmpty {
      lines.append("  streams delivering on this thread: \(between.joined(separator: " → "))")
    }
    let stack = Frames.capture()
    if let inner = stack.firstUserFrame(after: 0) {
      lines.append("  the send that came back: \(inner)")
    }
    if circle.isEmpty, let began = stack.firstUserFrame(after: outer) {
      lines.append("  the delivery began:      \(began)")
    }
    lines.append(
      "  Send after the delivery (on a scheduler), use a queued pipe, or break the loop.")
    let message = "Varve: " + lines.joined(separator: "\n") + "\n"
    var bytes = Array(message.utf8)
    _ = write(STDERR_FILENO, &bytes, bytes.count)
    fatalError("a value was sent on '\(name)' from inside its own delivery")
  }
}

/// The calling thread's stack, with names where there are any.
private struct Frames {
  private var frames: [UInt]
  private var names: [String]

  static func capture() -> Frames {
    var addresses = [UInt](repeating: 0, count: 128)
    var frames = [UInt](repeating: 0, count: 128)
    let count = Int(vv_stack_walk(&addresses, &frames, 128))
    return Frames(
      frames: Array(frames.prefix(count)), names: names(of: Array(addresses.prefix(count))))
  }

  /// The innermost frame outside this library whose frame address lies above `address`.
  func firstUserFrame(after address: UInt) -> String? {
    for (frame, name) in zip(frames, names) where frame > address && !isLibrary(name) {
      return name
    }
    return nil
  }

  private func isLibrary(_ name: String) -> Bool {
    // Frames of this report itself have no name: they were left between the two walks.
    name.contains("VarveReactive") || name.contains("vv_stack_walk") || name.hasPrefix("0x")
  }

  /// Function, file and line of each address, as far as the platform's own symboliser knows.
  private static func names(of addresses: [UInt]) -> [String] {
    var known: [UInt: String] = [:]
    #if canImport(Runtime)
      if let backtrace = try? Backtrace.capture(limit: 128).symbolicated() {
        for frame in backtrace.frames {
          guard let symbol = frame.symbol else { continue }
          let place = symbol.sourceLocation.map { " at \($0.path):\($0.line)" } ?? ""
          guard let address = UInt64(frame.captured.originalProgramCounter) else { continue }
          known[UInt(address)] = symbol.name + place
        }
      }
    #endif
    return addresses.map { known[$0] ?? exportedName(of: $0) }
  }

  private static func exportedName(of address: UInt) -> String {
    var symbol = vv_symbol()
    guard vv_symbol_find(address - 1, &symbol), let name = symbol.name else {
      return "0x" + String(address, radix: 16)
    }
    return String(cString: name)
  }
}
