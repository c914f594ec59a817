public import VarveReactive

/// Expects that an asynchronous backtrace leads from one function back to the next, each in a segment
/// further back than the one before: that what runs in the first was scheduled by the second, and so on.
///
///     results.observe(on: background).observeValues { _ in
///       found.set(AsyncBacktrace.current)
///     }
///     …
///     try expect(found.value, leadsBackThrough: "closure #1 in Search.start()", "Keyboard.press")
///
/// The first may be in any segment. A function is found by any part of its name. Backtraces have more
/// than one segment only while they are captured (`AsyncBacktrace.isCapturing`).
///
/// - Throws: `MissingHop`, which says what was looked for in vain and shows the backtrace.
public func expect(_ backtrace: AsyncBacktrace, leadsBackThrough functions: String...) throws {
  var rest = backtrace.segments[...]
  for function in functions {
    let found = rest.firstIndex { segment in
      segment.frames.contains { $0.function?.contains(function) == true }
    }
    guard let found else {
      throw MissingHop(function: function, backtrace: backtrace.description)
    }
    rest = rest[(found + 1)...]
  }
}

/// An asynchronous backtrace does not lead where it should.
public struct MissingHop: Error, Hashable, CustomStringConvertible {
  /// The function that was not found, behind those before it.
  public let function: String
  /// The backtrace, as it is printed.
  public let backtrace: String

  /// What is missing, and what there is.
  public var description: String {
    "the backtrace does not lead back to \"\(function)\":\n"
      + backtrace.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }
}
