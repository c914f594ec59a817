public import VarveReactive

/// Expects that an asynchronous backtrace leads from each function back to the next, in an earlier
/// segment each time: the code in the first was scheduled by the second, and so on.
///
///     results.observe(on: background).observeValues { _ in
///       found.set(AsyncBacktrace.current)
///     }
///     …
///     try expect(found.value, leadsBackThrough: "closure #1 in Search.start()", "Keyboard.press")
///
/// The first function may be in any segment. Any part of a function's name matches. Backtraces have
/// more than one segment only while they are captured (`AsyncBacktrace.isCapturing`).
///
/// - Throws: `MissingHop` with the function that was not found and the backtrace.
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

/// An error that an asynchronous backtrace does not lead to the expected function.
public struct MissingHop: Error, Hashable, CustomStringConvertible {
  /// The function that was not found beyond the previous ones.
  public let function: String
  /// The backtrace in its printed form.
  public let backtrace: String

  /// The missing function and the backtrace.
  public var description: String {
    "the backtrace does not lead back to \"\(function)\":\n"
      + backtrace.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }
}
