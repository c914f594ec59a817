import VarveReactive
import VarveTestRig

/// Runs `body` while backtraces are captured, and nobody else switches that off.
func capturing<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Result
) async rethrows -> sending Result {
  try await GateTurn.take {
    AsyncBacktrace.isCapturing = true
    defer { AsyncBacktrace.isCapturing = false }
    return try await body()
  }
}

/// A backtrace that some work leaves for the test.
final class Finding: Sendable {
  private let found = Flag()
  private let backtraces = Box<[AsyncBacktrace]>([])

  /// Keeps the calling code's backtrace.
  func note() {
    backtraces.append(AsyncBacktrace.current)
    found.raise()
  }

  /// The first one, when there is one.
  var backtrace: AsyncBacktrace {
    found.wait()
    return backtraces.value[0]
  }

  /// All that were kept.
  var all: [AsyncBacktrace] { backtraces.value }
}

extension AsyncBacktrace.Segment {
  /// Whether a function that is called like this is among the frames.
  func mentions(_ function: String) -> Bool {
    frames.contains { $0.function?.contains(function) == true }
  }
}

extension AsyncBacktrace {
  /// Of each of these functions in turn, the first segment from there on that mentions it; nil when
  /// they do not follow each other like that.
  func path(_ functions: String...) -> [Int]? {
    var next = 0
    let segments = segments
    var path: [Int] = []
    for function in functions {
      guard let found = segments[next...].firstIndex(where: { $0.mentions(function) }) else {
        return nil
      }
      path.append(found)
      next = found + 1
      if next == segments.count && function != functions.last { return nil }
    }
    return path
  }
}
