internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// What a program writes into its recording by itself: moments, lines of text, and spans.
///
///     Trace.mark("login pressed")
///     let page = try await Trace.span("load page") { try await load(url) }
///     Trace.log("\(page.count) bytes")
///
/// While no recording is running, each of these costs a load and a branch.
public enum Trace {
  /// Records a moment with a label, of which at most 1,024 bytes are kept. It is caused by what the
  /// calling thread delivers, or what its task last received.
  public static func mark(_ label: @autoclosure () -> String) {
    write(.mark) { label() }
  }

  /// Records a line of text, of which at most 1,024 bytes are kept. A recording without values
  /// withholds the text.
  ///
  /// - Parameter line: The line; made only while a recording is running.
  public static func log(_ line: @autoclosure () -> String) {
    write(.log) { line() }
  }

  private static func write(_ kind: RecordKind, _ text: () -> String) {
    let gate = Gate.word
    guard gate != 0 else { return }
    let text = text()
    let writer = TraceRecords.writer
    TraceRecords.nameCause(0)
    let head = RecordHead(gate: gate, kind: kind, stream: 0, subscription: 0)
    if kind == .log, Wish(gate: gate).contains(.withholdValues) {
      head.emit(.withheld, into: writer)
    } else {
      head.emit(.string, text: text, into: writer)
    }
    vv_cause_drop_far(writer)
  }

  /// Runs `body` and records when it began and how it ended, as a stream with this name: each span
  /// is a subscription to it, which completes or fails. A span that never ends is an open
  /// subscription. What happens in `body` is caused by the span's beginning.
  ///
  /// - Parameters:
  ///   - name: The name, one of few: what differs from span to span belongs into a `log`.
  ///   - file: The file that contains the span; leave out.
  ///   - line: The line; leave out.
  ///   - body: The work.
  /// - Throws: What `body` throws.
  public static func span<Result, Failure: Error>(
    _ name: StaticString, file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard Gate.isOpen, var span = Span(name, file, line) else { return try body() }
    do throws(Failure) {
      let result = try TraceRecords.deliver(span.beginning, body)
      span.end(nil)
      return result
    } catch {
      span.end(error)
      throw error
    }
  }

  /// Runs asynchronous work and records when it began and how it ended. See the form for synchronous
  /// work.
  ///
  /// - Parameters:
  ///   - name: The name, one of few: what differs from span to span belongs into a `log`.
  ///   - file: The file that contains the span; leave out.
  ///   - line: The line; leave out.
  ///   - isolation: The caller's isolation; leave out.
  ///   - body: The work.
  /// - Throws: What `body` throws.
  public static func span<Result, Failure: Error>(
    _ name: StaticString, file: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard Gate.isOpen, var span = Span(name, file, line) else { return try await body() }
    let outer = TraceRecords.awaited
    TraceRecords.noteAwaited(span.beginning)
    do throws(Failure) {
      let result = try await body()
      span.end(nil)
      TraceRecords.noteAwaited(outer)
      return result
    } catch {
      span.end(error)
      TraceRecords.noteAwaited(outer)
      throw error
    }
  }
}
